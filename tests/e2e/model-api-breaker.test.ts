import { createServer, type Server, type ServerResponse } from 'node:http';
import type { BackendEvent } from '@hearth/engine/backend.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { calls, FakeProvider, type Move, replies, says, status } from '../support/fake-provider.ts';
import { DIRECTORY, grant, ModelStage } from '../support/model-stage.ts';
import { faultsOf } from '../support/request-check.ts';

/* What a broken or hostile server may do to a turn, byte by byte, and what must hold all the same. */

const open: (FakeProvider | Server)[] = [];

async function fake(...moves: readonly Move[]): Promise<FakeProvider> {
  const provider = await FakeProvider.start(...moves);
  open.push(provider);
  return provider;
}

/** A server that speaks chat completions by the bytes that each answer is given in. */
async function raw(...answers: readonly ((response: ServerResponse) => void)[]) {
  const left = [...answers];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.end(JSON.stringify({ data: [{ id: 'fake' }] }));
      return;
    }
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      asked.push(body);
      left.shift()?.(response);
    });
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const env = { OLLAMA_HOST: 'http://127.0.0.1:9', HEARTH_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
  return { asked, env, port };
}

afterEach(async () => {
  await Promise.all(
    open.splice(0).map(async one => {
      if (one instanceof FakeProvider) return await one.close();
      one.closeAllConnections();
      await new Promise(resolve => one.close(resolve));
    }),
  );
});

const patient = { quietMs: 10 ** 9, output: null, tools: [grant('list_issues')] };
const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'another-name' };
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const finished = (response: ServerResponse, finish: string): void => {
  response.end(`${chunk({}, finish)}data: [DONE]\n\n`);
};
const words = (text: string) => (response: ServerResponse) => {
  begin(response).write(chunk({ content: text }));
  finished(response, 'stop');
};

/** Sends bytes one piece at a time, each as a packet of its own. */
async function inPieces(response: ServerResponse, bytes: Buffer, at: readonly number[]): Promise<void> {
  let from = 0;
  for (const to of [...at, bytes.length]) {
    await new Promise(resolve => response.write(bytes.subarray(from, to), resolve));
    await new Promise(resolve => setTimeout(resolve, 5));
    from = to;
  }
}

const drafts = (events: readonly BackendEvent[]) =>
  events.flatMap(event => (event.type === 'draft' ? [event.text] : []));

describe('a character of several bytes', () => {
  test('that comes in two pieces is one character', async () => {
    const bytes = Buffer.from(chunk({ content: 'Käse 🧀' }));
    const cuts = [bytes.indexOf('ä') + 1, bytes.indexOf('🧀') + 1, bytes.indexOf('🧀') + 3];
    const { env } = await raw(
      response => void inPieces(begin(response), bytes, cuts).then(() => finished(response, 'stop')),
    );
    const events = await new ModelStage(env, { clock: new SimClock() }).say('hello', patient);
    expect(events.at(-1)).toMatchObject({ type: 'done', text: 'Käse 🧀' });
  });

  test('in which the stream ends is no answer, and nothing broken is kept', async () => {
    const bytes = Buffer.from(chunk({ content: 'Gouda 🧀' }));
    const { env, asked } = await raw(response => {
      begin(response).write(chunk({ content: 'I like ' }));
      void inPieces(response, bytes.subarray(0, bytes.indexOf('🧀') + 2), []).then(() => response.end());
    }, words('Gouda.'));
    const stage = new ModelStage(env, { clock: new SimClock() });
    const turn = stage.turn('hello', patient);
    const events = await stage.play(stage.start(turn));
    expect(events.at(-1)).toMatchObject({ type: 'failed', code: 'network', began: true });
    expect(drafts(events).join('')).not.toContain('\ufffd');
    const interrupted = { effect: turn.effect, toolsStarted: [], unseen: [] };
    expect((await stage.say('hello', { ...patient, interrupted })).at(-1)).toMatchObject({ text: 'Gouda.' });
    expect(asked.at(-1)).not.toContain('I like');
  });
});

describe('calls that are no calls', () => {
  test.each([
    ['torn', '{"id": "HB-'],
    ['a list', '["HB-1"]'],
    ['a text', '"HB-1"'],
    ['null', 'null'],
    ['two objects', '{}{}'],
  ])('arguments that are %s are refused in words, and the turn goes on', async (_, args) => {
    const provider = await fake(calls([{ name: 'list_issues', args: {}, raw: args }]), replies('ok'));
    const stage = new ModelStage(provider.env('compatible'), { clock: new SimClock() });
    expect((await stage.say('hello')).at(-1)).toMatchObject({ type: 'done', text: 'ok' });
    expect(stage.calls).toEqual([]);
    expect(provider.requests.at(-1)?.text).toContain('no JSON object');
    expect(provider.requests.flatMap(faultsOf)).toEqual([]);
  });

  test.each(['anthropic', 'openai', 'compatible'] as const)(
    'no arguments at all, on %s, are an empty object',
    async name => {
      const provider = await fake(calls([{ name: 'list_issues', args: {}, raw: '' }]), replies('ok'));
      const stage = new ModelStage(provider.env(name), { clock: new SimClock() });
      expect((await stage.say('hello')).at(-1)).toMatchObject({ type: 'done', text: 'ok' });
      expect(stage.calls).toMatchObject([{ name: 'list_issues', args: {} }]);
    },
  );

  test.each(['anthropic', 'openai', 'compatible'] as const)(
    'one id for several calls of a step, on %s: each is made, each has its result',
    async name => {
      const twin = (id: string) => ({ name: 'list_issues', args: { id }, id: 'same' });
      const provider = await fake(calls([twin('HB-1'), twin('HB-2'), twin('HB-3')]), replies('ok'));
      const stage = new ModelStage(provider.env(name), { clock: new SimClock() });
      stage.tool = call => ({ content: { found: call.args['id'] ?? null } });
      expect((await stage.say('hello')).at(-1)).toMatchObject({ type: 'done' });
      expect(stage.calls.map(call => call.args)).toEqual([{ id: 'HB-1' }, { id: 'HB-2' }, { id: 'HB-3' }]);
      expect(new Set(stage.calls.map(call => call.id)).size).toBe(3);
      const request = provider.requests.at(-1)!;
      expect(faultsOf(request)).toEqual([]);
      for (const id of ['HB-1', 'HB-2', 'HB-3']) expect(request.text).toContain(`{\\"found\\":\\"${id}\\"}`);
    },
  );

  test.each(['anthropic', 'openai', 'compatible'] as const)(
    'one id for a call that is sound and one that is torn, on %s: the sound one is made',
    async name => {
      const sound = { name: 'list_issues', args: { id: 'HB-1' }, id: 'same' };
      const torn = { ...sound, raw: '{"id": "HB-' };
      const provider = await fake(calls([sound, torn]), calls([torn, sound]), replies('ok'));
      const stage = new ModelStage(provider.env(name), { clock: new SimClock() });
      expect((await stage.say('hello')).at(-1)).toMatchObject({ type: 'done' });
      expect(stage.calls.map(call => call.args)).toEqual([{ id: 'HB-1' }, { id: 'HB-1' }]);
      expect(provider.requests.flatMap(faultsOf)).toEqual([]);
    },
  );

  test('a thousand calls in one step: the first are made, each has a result, and the turn goes on', async () => {
    const list = Array.from({ length: 1000 }, (_, at) => ({ name: 'list_issues', args: { id: `${at}` } }));
    const provider = await fake(calls(list), replies('ok'));
    const stage = new ModelStage(provider.env('anthropic'), { clock: new SimClock() });
    expect((await stage.say('hello')).at(-1)).toMatchObject({ type: 'done', text: 'ok' });
    expect(stage.calls).toHaveLength(256);
    expect(provider.requests.flatMap(faultsOf)).toEqual([]);
  });
});

test('a server whose list of models changes goes on in the same session, with the model that it has', async () => {
  const provider = await fake(calls([{ name: 'list_issues', args: {} }]), replies('one'), replies('two'));
  provider.models = ['old:1b'];
  const first = new ModelStage(provider.env('ollama'), { clock: new SimClock() });
  await first.say('hello');
  provider.models = ['new:1b'];
  const second = new ModelStage(provider.env('ollama'), { disk: first.disk, seed: 9, clock: new SimClock() });
  second.session = first.session;
  second.turns = 1;
  expect((await second.say('more'))[0]).toMatchObject({ how: 'resumed', model: 'new:1b' });
  expect(provider.requests.at(-1)).toMatchObject({ body: { model: 'new:1b' } });
  expect(provider.requests.at(-1)?.text).toContain('hello');
});

test('an answer without end is cut off, and so is a refusal', async () => {
  const flood = 'x'.repeat(1024 * 1024);
  const { env } = await raw(
    response => {
      begin(response);
      const more = (): void => void response.write(chunk({ content: flood }), error => error ?? more());
      more();
    },
    response => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.write('{"error":{"message":"tools.0 is wrong ');
      const more = (): void => void response.write(flood, error => error ?? more());
      more();
    },
  );
  const stage = new ModelStage(env, { clock: new SimClock() });
  const endless = await stage.say('hello', patient);
  expect(endless.at(-1)).toMatchObject({
    type: 'failed',
    code: 'protocol',
    message: expect.stringContaining('cut off'),
  });
  expect((await stage.say('again', patient)).at(-1)).toMatchObject({ type: 'failed', code: 'protocol' });
});

test('a wait that a provider asks for is not cut short by asking again at once', async () => {
  const provider = await fake(status(529, { 'retry-after': '30' }), replies('too early'));
  const events = await new ModelStage(provider.env('anthropic'), { clock: new SimClock() }).say('hello');
  expect(events.at(-1)).toMatchObject({
    type: 'failed',
    code: 'overloaded',
    retryAfterMs: 30_000,
    began: false,
  });
  expect(provider.requests).toHaveLength(1);
});

test('a request that is too large is made again from a shorter session, and else the failure says so', async () => {
  const provider = await fake(
    says('One.'),
    status(413, {}, 'Request exceeds the maximum size'),
    says('SUMMARY'),
    says('Two.'),
  );
  const stage = new ModelStage(provider.env('anthropic'), { clock: new SimClock() });
  await stage.say('My first sentence, which is long enough.', patient);
  const events = await stage.say('More.', { ...patient, compaction: { threshold: null, preserveRecent: 1 } });
  expect(events.at(-1)).toMatchObject({ type: 'done', text: 'Two.' });
  expect(events.some(event => event.type === 'compacted')).toBe(true);
});

test('a server on this machine that sends questions on to another one is not followed with the key', async () => {
  const other = await fake();
  const { env, port } = await raw();
  const [server] = open.filter(one => !(one instanceof FakeProvider));
  (server as Server).removeAllListeners('request');
  (server as Server).on('request', (_request, response) => {
    response
      .writeHead(307, { location: `${other.address.replace('127.0.0.1', 'localhost')}/v1/models` })
      .end();
  });
  const stage = new ModelStage({ ...env, HEARTH_OPENAI_API_KEY: 'sk-own' }, { clock: new SimClock() });
  const model = { model: `compatible/fake`, provider: null, effort: null };
  const events = await stage.say('hello', { ...patient, model });
  expect(port).toBeGreaterThan(0);
  expect(events.at(-1)).toMatchObject({ type: 'failed', code: 'protocol' });
  expect(other.listed + other.requests.length).toBe(0);
});

describe('what would spoil every later request of the session', () => {
  test.each(['anthropic', 'openai', 'compatible'] as const)(
    'a name that is none, on %s, is made plain',
    async name => {
      const wild = ['functions.list issues', 'x'.repeat(300)].map(one => ({ name: one, args: {} }));
      const provider = await fake(calls(wild), replies('ok'));
      const stage = new ModelStage(provider.env(name), { clock: new SimClock() });
      stage.tool = () => ({ content: null, error: 'There is no such tool.' });
      expect((await stage.say('hello')).at(-1)).toMatchObject({ type: 'done', text: 'ok' });
      const names = [...(provider.requests.at(-1)?.text.matchAll(/"name":"([^"]*)"/g) ?? [])].map(
        ([, one]) => one,
      );
      expect(names).toContain('functions_list_issues');
      for (const one of names) expect(one).toMatch(/^[\w-]{1,64}$/);
    },
  );

  test('half a character, from the model, a tool or a person, becomes a whole one', async () => {
    const { env, asked } = await raw(response => {
      begin(response).write(
        'data: {"choices":[{"index":0,"delta":{"content":"half \\ud83e of a cheese"}}]}\n\n',
      );
      const call = { index: 0, id: 'c1', function: { name: 'list_issues', arguments: '{"id":"\\ud83e"}' } };
      response.write(chunk({ tool_calls: [call] }));
      finished(response, 'tool_calls');
    }, words('ok'));
    const stage = new ModelStage(env, { clock: new SimClock() });
    stage.tool = () => ({ content: 'cut \udda0' });
    await stage.say('cheese \ud83e', {
      ...patient,
      prompt: { system: '\ud83e', user: 'cheese \ud83e', attachments: [] },
    });
    expect(asked).toHaveLength(2);
    for (const body of asked) expect(body).not.toMatch(/\\ud[89a-f]/i);
  });

  test.each([
    { input: -5, output: 1 },
    { input: 12.5, output: 3 },
    { input: 1e300, output: 3 },
  ])('a count that is none (%j) counts nothing, and the session can be read again', async tokens => {
    const provider = await fake({ ...replies('one'), tokens } as Move, replies('two'));
    const stage = new ModelStage(provider.env('compatible'), { clock: new SimClock() });
    const model = { model: 'compatible/fake', provider: null, effort: null };
    const events = await stage.say('hello', { model });
    expect(events.at(-1)).toMatchObject({ type: 'done' });
    expect(events.find(event => event.type === 'usage')).toMatchObject({
      spend: { tokens: null, unpriced: 1 },
    });
    expect((await stage.say('more', { model }))[0]).toMatchObject({ how: 'resumed' });
  });

  test('arguments without a bottom are none', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    const provider = await fake(
      calls([{ name: 'list_issues', args: {}, raw: deep }]),
      replies('ok'),
      replies('more'),
    );
    const stage = new ModelStage(provider.env('compatible'), { clock: new SimClock() });
    expect((await stage.say('hello')).at(-1)).toMatchObject({ type: 'done', text: 'ok' });
    expect(stage.calls).toEqual([]);
    expect((await stage.say('more'))[0]).toMatchObject({ how: 'resumed' });
  });

  test('a result of any length is told in part', async () => {
    const provider = await fake(calls([{ name: 'list_issues', args: {} }]), replies('ok'));
    const stage = new ModelStage(provider.env('anthropic'), { clock: new SimClock() });
    stage.tool = () => ({ content: `BEGINS${'x'.repeat(2_000_000)}ENDS` });
    expect((await stage.say('hello')).at(-1)).toMatchObject({ type: 'done', text: 'ok' });
    const text = provider.requests.at(-1)?.text ?? '';
    expect(text.length).toBeLessThan(300_000);
    for (const told of ['BEGINS', 'ENDS', 'characters are left out']) expect(text).toContain(told);
  });
});

describe('a key that a server repeats', () => {
  const key = 'correct-horse+battery/staple==';
  test.each([
    ['as it is', key],
    ['in an address', `https://host/?key=${encodeURIComponent(key)}`],
    ['as a login', `Basic ${Buffer.from(`:${key}`).toString('base64')}`],
    ['behind a thousand words', `${'word '.repeat(1000)}${key}`],
    ['in a header', `authorization: Bearer ${key}`],
  ])('%s is in no event and no file', async (_, said) => {
    const provider = await fake(status(400, {}, said));
    const stage = new ModelStage(provider.env('anthropic', key), { clock: new SimClock() });
    const events = await stage.say('hello', patient);
    expect(events.at(-1)).toMatchObject({ type: 'failed' });
    const [file] = await stage.disk.list(DIRECTORY);
    const all =
      JSON.stringify(events) + Buffer.from((await stage.disk.read(`${DIRECTORY}/${file}`)) ?? []).toString();
    for (const part of [
      key,
      encodeURIComponent(key),
      'battery',
      Buffer.from(`:${key}`).toString('base64').slice(0, 20),
    ])
      expect(all).not.toContain(part);
  });
});
