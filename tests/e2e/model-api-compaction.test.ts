import type { BackendEvent } from '@hearth/engine/backend.ts';
import { Trees } from '@hearth/backends/model-api/trees.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterEach, expect, test } from 'vitest';
import { calls, FakeProvider, type Move, replies, says, status } from '../support/fake-provider.ts';
import { DIRECTORY, ModelStage } from '../support/model-stage.ts';
import { faultsOf } from '../support/request-check.ts';

/* A session that grows too long is shortened, in the open, and goes on: after a restart, and in a fork. */

const open: FakeProvider[] = [];

async function fake(...moves: readonly Move[]): Promise<FakeProvider> {
  const provider = await FakeProvider.start(...moves);
  open.push(provider);
  return provider;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(provider => provider.close()));
});

const TIGHT = { threshold: 0.5, preserveRecent: 1 };
const WINDOW = { model: 'claude-haiku-4-5', provider: 'anthropic', effort: null };
const shortened = (events: readonly BackendEvent[]) => events.filter(event => event.type === 'compacted');
const long = (text: string): Move => ({ ...replies(text), tokens: { input: 150_000, output: 10 } }) as Move;

test('a summary stands for what is old, and every later request is made from it', async () => {
  const provider = await fake(long('One.'), says('The person likes HEDGEHOGS.'), replies('Two.'));
  const stage = new ModelStage(provider.env('anthropic'));
  const more = { model: WINDOW, compaction: TIGHT };
  expect(shortened(await stage.say('I like hedgehogs, and this is my first sentence.', more))).toEqual([]);
  const events = await stage.say('Go on.', more);
  expect(shortened(events)).toEqual([{ type: 'compacted', kept: 1, dropped: 2 }]);
  expect(events.filter(event => event.type === 'usage')).toHaveLength(2);
  // The summary is no draft of the answer.
  expect(JSON.stringify(events)).not.toContain('HEDGEHOGS');
  const [, summary, second] = provider.requests.map(request => request.text);
  expect(summary).toContain('my first sentence');
  expect(summary).not.toContain('final_answer"');
  expect(second).toContain('HEDGEHOGS');
  expect(second).toContain('Go on.');
  expect(second).not.toContain('my first sentence');

  const { session } = stage;
  const again = new ModelStage(provider.plays(replies('Three.')).env('anthropic'), {
    disk: stage.disk,
    seed: 5,
  });
  again.session = session.mode === 'fresh' ? session : { ...session, mode: 'fork' };
  expect(shortened(await again.say('And in a fork?', more))).toEqual([]);
  expect(provider.requests.at(-1)?.text).toContain('HEDGEHOGS');
  expect(provider.requests.at(-1)?.text).not.toContain('my first sentence');
  expect(provider.requests.flatMap(faultsOf)).toEqual([]);
  // Nothing of the file was taken away.
  const id = session.mode === 'fresh' ? '' : session.id;
  const kept = await new Trees(stage.disk).open(DIRECTORY, id);
  expect(JSON.stringify(kept?.lines)).toContain('my first sentence');
});

test('a request that is refused as too long is made again, once, from a shorter session', async () => {
  const tooLong = status(400, {}, 'prompt is too long: 210000 tokens > 200000 maximum');
  const provider = await fake(
    calls([{ name: 'list_issues', args: {} }]),
    tooLong,
    says('SUMMARY of the board.'),
    replies('Done.'),
  );
  const stage = new ModelStage(provider.env('anthropic'));
  const events = await stage.say('What is next?', { model: WINDOW });
  expect(shortened(events)).toEqual([{ type: 'compacted', kept: 1, dropped: 1 }]);
  expect(events.at(-1)).toMatchObject({ type: 'done', text: 'Done.' });
  // What was asked stays word for word.
  expect(provider.requests.at(-1)?.text).toContain('What is next?');
  expect(provider.requests.at(-1)?.text).toContain('SUMMARY');

  provider.plays(tooLong, says('Shorter.'), tooLong);
  expect((await stage.say('More.', { model: WINDOW })).at(-1)).toMatchObject({ code: 'context_length' });
});

test('what a bot keeps begins its session once, and is brought back when it is shortened', async () => {
  const provider = await fake(long('One.'), says('A summary.'), long('Two.'), replies('Three.'));
  const stage = new ModelStage(provider.env('anthropic'));
  const memory = { text: '[hearth] PEARS by the wall.', again: true };
  const more = { model: WINDOW, compaction: { threshold: 1, preserveRecent: 1 }, memory };
  await stage.say('First, which is a long sentence of many words.', more);
  await stage.say('Go on.', { ...more, compaction: TIGHT });
  await stage.say('And on.', more);
  const times = provider.requests.map(({ text }) => text.split('PEARS').length - 1);
  expect(times).toEqual([1, 1, 1, 1]);
});

test('where no summary comes the session goes on as it is', async () => {
  const provider = await fake(long('One.'), status(500), replies('Two.'));
  const stage = new ModelStage(provider.env('anthropic'));
  const more = { model: WINDOW, compaction: TIGHT };
  await stage.say('My first sentence, which is long enough.', more);
  const events = await stage.say('Go on.', more);
  expect(shortened(events)).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: 'done', text: 'Two.' });
  expect(provider.requests.at(-1)?.text).toContain('My first sentence');
});

test('on Ollama, which cuts in silence, a session is shortened by what the server says it holds', async () => {
  const provider = await fake(
    { ...replies('One.'), tokens: { input: 3900, output: 10 } } as Move,
    says('A SUMMARY.'),
    replies('Two.'),
  );
  provider.facts = { loaded: 4096 };
  const stage = new ModelStage(provider.env('ollama'), { clock: new SimClock() });
  const more = { compaction: { threshold: null, preserveRecent: 1 } };
  const first = await stage.say('My first sentence, which is long enough.', more);
  expect(first).toContainEqual({ type: 'context', used: 3910, window: 4096 });
  expect(shortened(await stage.say('Go on.', more))).toEqual([{ type: 'compacted', kept: 1, dropped: 2 }]);
  expect(provider.requests.at(-1)?.text).toContain('A SUMMARY.');
  expect(provider.requests.at(-1)?.text).not.toContain('first sentence');
});

test('a window that nobody knew is learned from a refusal, and from then on not run into, also after a restart', async () => {
  const counted = (reply: string, input: number) =>
    ({ ...replies(reply), tokens: { input, output: 10 } }) as Move;
  const provider = await fake(
    counted('One.', 7000),
    status(400, {}, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"),
    says('A SUMMARY.'),
    counted('Two.', 7000),
    says('Another SUMMARY.'),
    counted('Three.', 500),
  );
  const stage = new ModelStage(provider.env('compatible'), { clock: new SimClock() });
  const more = {
    model: { model: 'compatible/fake:1b', provider: null, effort: null },
    compaction: { threshold: null, preserveRecent: 1 },
  };
  await stage.say('My first sentence, which is long enough.', more);
  expect(shortened(await stage.say('And a second one, long enough too.', more))).toHaveLength(1);
  await expect.poll(() => stage.disk.read('/epochs/windows.json')).not.toBeNull();
  const next = new ModelStage(provider.env('compatible'), {
    disk: stage.disk,
    clock: new SimClock(),
    seed: 5,
  });
  next.session = stage.session;
  const third = await next.say('Go on.', more);
  expect(shortened(third)).toHaveLength(1);
  expect(third).toContainEqual({ type: 'context', used: 510, window: 8192 });
  expect(provider.requests).toHaveLength(6);
});
