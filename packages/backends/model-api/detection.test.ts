import { countedIds } from '@hearth/store/counted-ids.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, test } from 'vitest';
import { ANSWER_MS, Detection, KEPT_MS, WAIT_MS } from './detection.ts';

/** A detection on a network of one's own; `asked` are the addresses that were asked. */
function detection(env: Record<string, string>, answer: (url: string) => Promise<Response>) {
  const asked: string[] = [];
  const clock = new SimClock();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    asked.push(url);
    const signal = init?.signal;
    return await Promise.race([
      answer(url),
      new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      ),
    ]);
  };
  const ports = { disk: new SimDisk(), clock, ids: countedIds(), env, fetch };
  return { asked, clock, detection: new Detection(ports) };
}

const tags = (...names: string[]) =>
  Promise.resolve(Response.json({ models: names.map(name => ({ name })) }));

describe('servers on this machine', () => {
  test('are asked once in a while', async () => {
    const { asked, clock, detection: found } = detection({}, () => tags('phi'));
    for (let count = 0; count < 3; count += 1) {
      expect(await found.endpoint('auto', null)).toMatchObject({ model: 'phi' });
    }
    expect(asked).toEqual(['http://127.0.0.1:11434/api/tags']);
    clock.advance(KEPT_MS);
    await found.endpoint('auto', null);
    expect(asked).toHaveLength(2);
  });
  test('are not waited for', async () => {
    const { clock, detection: found } = detection({}, () => new Promise(() => undefined));
    const endpoint = found.endpoint('auto', null);
    await expect.poll(() => clock.timers).toBe(2);
    clock.advance(WAIT_MS);
    expect(await endpoint).toEqual({
      missing: 'No model is configured: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or start Ollama.',
    });
    clock.advance(ANSWER_MS - WAIT_MS);
    expect(clock.timers).toBe(0);
  });
  test('that are slow are found, or by whoever asks next', async () => {
    for (const ms of [WAIT_MS - 1, WAIT_MS]) {
      const slow = Promise.withResolvers<Response>();
      const { asked, clock, detection: found } = detection({}, () => slow.promise);
      const endpoint = found.endpoint('auto', null);
      await expect.poll(() => clock.timers).toBe(2);
      clock.advance(ms);
      if (ms === WAIT_MS) expect(await endpoint).toHaveProperty('missing');
      slow.resolve(await tags('phi'));
      if (ms < WAIT_MS) expect(await endpoint).toMatchObject({ model: 'phi' });
      expect(await found.endpoint('auto', null)).toMatchObject({ model: 'phi' });
      expect(asked).toHaveLength(1);
      expect(clock.timers).toBe(0);
    }
  });
  test('are asked together', async () => {
    const env = { HEARTH_OPENAI_BASE_URL: 'http://box/v1' };
    const { asked, clock, detection: found } = detection(env, () => new Promise(() => undefined));
    const endpoint = found.endpoint('auto', null);
    await expect.poll(() => asked).toEqual(['http://box/v1/models', 'http://127.0.0.1:11434/api/tags']);
    clock.advance(WAIT_MS);
    expect(await endpoint).toHaveProperty('missing');
  });
  test.each([
    ['that answer otherwise', () => Promise.resolve(Response.json({ hello: 'world' }))],
    ['that refuse', () => Promise.resolve(new Response('no', { status: 403 }))],
    ['that list nothing', () => tags()],
  ])('%s are passed over', async (_, answer) => {
    expect(await detection({}, answer).detection.endpoint('auto', null)).toHaveProperty('missing');
  });
  test('are not asked when a key decides', async () => {
    const { asked, detection: found } = detection({ OPENAI_API_KEY: 'k' }, () => tags('phi'));
    expect(await found.endpoint('auto', null)).toMatchObject({ provider: { id: 'openai' }, key: 'k' });
    expect(asked).toEqual([]);
  });
  test('that a person wrote down are taken at their word for a model', async () => {
    const { asked, detection: found } = detection({ HEARTH_OPENAI_BASE_URL: 'http://box/v1' }, () => tags());
    expect(await found.endpoint('qwen', null)).toMatchObject({
      address: 'http://box/v1',
      model: 'qwen',
      key: null,
    });
    expect(asked).toEqual([]);
  });
});

test.each([
  ['gpt-5.1', 'set OPENAI_API_KEY, or set HEARTH_OPENAI_BASE_URL'],
  ['anthropic/auto', 'set ANTHROPIC_API_KEY'],
  ['ollama/phi', 'start Ollama'],
])('%s without anything says: %s', async (model, says) => {
  const { detection: found } = detection({}, () => Promise.reject(new Error('refused')));
  expect(await found.endpoint(model, null)).toEqual({ missing: expect.stringContaining(says) });
});

test('reports never hold a key or a password', async () => {
  const env = {
    ANTHROPIC_API_KEY: 'k-1',
    HEARTH_OPENAI_BASE_URL: 'http://u:k-2@box/v1',
    HEARTH_OPENAI_API_KEY: 'k-3',
  };
  const { detection: found } = detection(env, () =>
    Promise.resolve(Response.json({ data: [{ id: 'qwen' }] })),
  );
  const reports = await found.reports();
  expect(JSON.stringify(reports)).not.toMatch(/k-\d/);
  expect(reports.map(({ id, usable, models }) => [id, usable, models])).toEqual([
    ['anthropic', true, ['claude-sonnet-5']],
    ['openai', false, ['gpt-6.1-sol']],
    ['compatible', true, ['qwen']],
    ['ollama', false, []],
  ]);
});

test('a server whose address is set and that does not answer is told as that, without its password', async () => {
  const env = { HEARTH_OPENAI_BASE_URL: 'http://ada:pass-word@box/v1' };
  const { detection: found } = detection(env, () => Promise.reject(new Error('refused')));
  const why = /^nothing at http:\/\/box\/v1 lists a model: start that server/;
  expect((await found.reports()).find(({ id }) => id === 'compatible')).toMatchObject({
    usable: false,
    why: expect.stringMatching(why) as string,
  });
  expect(await found.endpoint('compatible/auto', null)).toMatchObject({
    missing: expect.stringContaining('nothing at http://box/v1 lists a model') as string,
  });
});
