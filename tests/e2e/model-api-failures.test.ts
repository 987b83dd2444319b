import type { BackendEvent } from '@hearth/engine/backend.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Brain,
  calls,
  FakeProvider,
  type Move,
  replies,
  says,
  status,
} from '../support/fake-provider.ts';
import { DIRECTORY, ModelStage } from '../support/model-stage.ts';

/* Each way in which a provider fails, told as one typed failure that says what to do; and what goes on afterwards. */

const open: FakeProvider[] = [];

async function fake(...moves: readonly (Move | Brain)[]): Promise<FakeProvider> {
  const provider = await FakeProvider.start(...moves);
  open.push(provider);
  return provider;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(provider => provider.close()));
});

/** Lets simulated time pass, a second whenever the machine is idle, until the turn has ended. */
async function inTime(clock: SimClock, turn: Promise<BackendEvent[]>): Promise<BackendEvent[]> {
  let over = false;
  void turn.finally(() => {
    over = true;
  });
  while (!over) {
    await new Promise(resolve => setTimeout(resolve, 5));
    clock.advance(1000);
  }
  return await turn;
}

/** A turn whose silence is never the reason why it ends. */
const patient = { quietMs: 10 ** 9 };

const overload = (): Move => status(529, {}, 'Overloaded');
const cut = (how: 'socket' | 'end' | 'overloaded', text = 'I was about to'): Move => ({
  is: 'cut',
  text,
  how,
});

interface Case {
  readonly moves: readonly Move[];
  readonly code: string;
  readonly began: boolean;
  readonly says: RegExp;
  readonly requests?: number;
  readonly retryAfterMs?: number;
}

const CASES: Readonly<Record<string, Case>> = {
  '401': { moves: [status(401)], code: 'auth', began: false, says: /refuses the key/ },
  '403': { moves: [status(403)], code: 'auth', began: false, says: /refuses the key/ },
  '429 with Retry-After': {
    moves: [status(429, { 'retry-after': '30' })],
    code: 'quota',
    began: false,
    says: /limit.*wait 30 s/,
    retryAfterMs: 30_000,
  },
  'used up credit': {
    moves: [status(400, {}, 'Your credit balance is too low')],
    code: 'quota',
    began: false,
    says: /used up/,
  },
  'a model that is not there': { moves: [status(404)], code: 'missing', began: false, says: /HEARTH_MODEL/ },
  'a conversation that is too long': {
    moves: [status(400, {}, 'prompt is too long: 210000 tokens > 200000 maximum')],
    code: 'context_length',
    began: false,
    says: /\/new/,
  },
  'a request that is refused': {
    moves: [status(400, {}, 'tools.0: name is wrong')],
    code: 'protocol',
    began: false,
    says: /refuses the request.*name is wrong/,
  },
  '529 three times': {
    moves: [overload(), overload(), overload()],
    code: 'overloaded',
    began: false,
    says: /try again later/,
    requests: 3,
  },
  '503 after words': {
    moves: [calls([{ name: 'list_issues', args: {} }]), status(503)],
    code: 'overloaded',
    began: true,
    says: /overloaded/,
    requests: 2,
  },
  'an overload told in the stream': {
    moves: [cut('overloaded')],
    code: 'overloaded',
    began: true,
    says: /overloaded/,
  },
  'a socket that breaks': { moves: [cut('socket')], code: 'network', began: true, says: /connection/ },
  'a stream without its end': {
    moves: [cut('end')],
    code: 'network',
    began: true,
    says: /ended in the middle/,
  },
  'a page in place of the API': {
    moves: [{ is: 'garbage', how: 'page' }],
    code: 'protocol',
    began: false,
    says: /not its API/,
  },
  'an event that is no JSON': {
    moves: [{ is: 'garbage', how: 'event' }],
    code: 'protocol',
    began: false,
    says: /not its API/,
  },
  'an answer that is withheld': {
    moves: [says('I', { finish: 'filter' })],
    code: 'protocol',
    began: true,
    says: /withheld/,
  },
};

describe.each([
  ['anthropic', 'auto'],
  ['openai', 'auto'],
  ['compatible', 'compatible/fake:1b'],
] as const)('on %s', (name, model) => {
  const given = { ...patient, model: { model, provider: null, effort: null } };

  test.each(Object.entries(CASES))('%s', async (_, { moves, requests = moves.length, ...expected }) => {
    const provider = await fake(...moves, replies('It works again.'));
    const clock = new SimClock();
    const stage = new ModelStage(provider.env(name), { clock });
    const turn = stage.turn('hello', given);
    const last = (await inTime(clock, stage.play(stage.start(turn)))).at(-1);
    expect(last).toMatchObject({ type: 'failed', code: expected.code, began: expected.began });
    if (last?.type !== 'failed') return;
    expect(last.message).toMatch(expected.says);
    expect(last.retryAfterMs).toBe(expected.retryAfterMs);
    expect(provider.requests).toHaveLength(requests);

    const interrupted = { effect: turn.effect, toolsStarted: [], unseen: [] };
    const again = await inTime(clock, stage.say('hello', { ...given, attempt: 2, interrupted }));
    expect(again.at(-1)).toMatchObject({ type: 'done', text: 'It works again.' });
    expect(provider.requests.at(-1)?.text.match(/hello/g)).toHaveLength(1);
    expect(clock.timers).toBe(0);
  });

  test('R13.37: silence before the first byte is cold, and later it is quiet', async () => {
    const provider = await fake({ is: 'silence', after: null }, { is: 'silence', after: 'Let me see' });
    const clock = new SimClock();
    const stage = new ModelStage(provider.env(name), { clock });
    const cold = stage.say('hello');
    await expect.poll(() => provider.requests.length).toBe(1);
    clock.advance(20_000);
    expect((await cold).at(-1)).toMatchObject({ type: 'failed', code: 'cold', began: false });
    const quiet = stage.play(stage.start(stage.turn('hello')), event => {
      if (event.type === 'draft' && event.text === 'Let me see') setImmediate(() => clock.advance(20_000));
    });
    expect((await quiet).at(-1)).toMatchObject({ type: 'failed', code: 'quiet', began: true });
    expect(clock.timers).toBe(0);
  });
});

test.each(['anthropic', 'openai'] as const)(
  'what is meant for %s goes to no other address, whatever its server says',
  async vendor => {
    const other = await fake();
    const provider = await fake(
      status(307, { location: `${other.address.replace('127.0.0.1', 'localhost')}/v1` }),
    );
    const events = await new ModelStage(provider.env(vendor, 'sk-fake')).say('hello');
    expect(events.at(-1)).toMatchObject({
      type: 'failed',
      code: 'protocol',
      message: expect.stringMatching(/sends requests on to another address/),
    });
    expect(provider.requests).toHaveLength(1);
    expect(other.requests).toEqual([]);
  },
);

test('what passes is waited for, as long as nothing has begun', async () => {
  const provider = await fake(overload(), overload(), replies('There.'));
  const clock = new SimClock();
  const stage = new ModelStage(provider.env('anthropic'), { clock });
  const events = await inTime(clock, stage.say('hello', patient));
  expect(events.at(-1)).toMatchObject({ type: 'done', text: 'There.' });
  expect(clock.active()).toBeGreaterThanOrEqual(5000);
});

test('a turn that comes to nothing is tried again in its place: however often, it is told once', async () => {
  const provider = await fake(replies('Before.'), status(401), status(401), status(401), replies('At last.'));
  const stage = new ModelStage(provider.env('anthropic'));
  await stage.say('earlier');
  let { effect } = stage.turn('');
  for (const attempt of [1, 2, 3, 4]) {
    const interrupted = attempt === 1 ? {} : { interrupted: { effect, toolsStarted: [], unseen: [] } };
    const turn = stage.turn('hello', { attempt, ...interrupted });
    effect = turn.effect;
    await stage.play(stage.start(turn));
  }
  const { text, body } = provider.requests.at(-1)!;
  expect(text.match(/hello/g)).toHaveLength(1);
  expect(text.match(/was interrupted/g)).toHaveLength(1);
  expect(JSON.stringify(body)).toContain('Before.');
  // The file keeps every attempt.
  const [file] = await stage.disk.list(DIRECTORY);
  const kept = Buffer.from((await stage.disk.read(`${DIRECTORY}/${file}`)) ?? []).toString();
  expect(kept.match(/"hello"/g)).toHaveLength(4);
});

test('a server that is not there is a network failure', async () => {
  const provider = await fake();
  const env = provider.env('anthropic');
  await provider.close();
  open.length = 0;
  const clock = new SimClock();
  const events = await inTime(clock, new ModelStage(env, { clock }).say('hello', patient));
  expect(events.at(-1)).toMatchObject({ type: 'failed', code: 'network', began: false });
});

test('a model that nothing is configured for is missing, and no session is begun', async () => {
  const stage = new ModelStage({ OPENAI_API_KEY: 'x' });
  const model = { model: 'anthropic/claude-sonnet-4-5', provider: null, effort: null };
  const events = await stage.say('hello', { model });
  expect(events).toMatchObject([{ type: 'failed', code: 'missing', began: false }]);
  expect(events[0]).toMatchObject({ message: expect.stringContaining('set ANTHROPIC_API_KEY') });
});

test('a message that was taken and not seen is not told twice', async () => {
  const provider = await fake(calls([{ name: 'list_issues', args: {} }]), cut('socket', ''), replies('ok'));
  const stage = new ModelStage(provider.env('anthropic'));
  const turn = stage.turn('hello');
  const run = stage.start(turn);
  const message = { id: 'm5' as const, text: 'steer-words' };
  stage.tool = () => {
    run.offer(message);
    return { content: [] };
  };
  const events = await stage.play(run);
  expect(events.filter(event => event.type === 'taken')).toHaveLength(1);
  expect(events.filter(event => event.type === 'seen')).toHaveLength(0);
  const interrupted = { effect: turn.effect, toolsStarted: ['list_issues'], unseen: [message] };
  await stage.say('hello', { attempt: 2, interrupted });
  expect(provider.requests.at(-1)?.text.match(/steer-words/g)).toHaveLength(1);
});

test('a service that goes down cuts the request and ends', async () => {
  const provider = await fake({ is: 'silence', after: 'Well' });
  const stage = new ModelStage(provider.env('anthropic'));
  const events = await stage.play(stage.start(stage.turn('hello')), event => {
    if (event.type === 'draft') stage.abort();
  });
  expect(events.at(-1)).toEqual({ type: 'stopped' });
});

test('a turn that is stopped while a tool runs waits for what came of it, but not for ever', async () => {
  const provider = await fake(calls([{ name: 'close_issue', args: {} }]), replies('ok'));
  const clock = new SimClock();
  const stage = new ModelStage(provider.env('anthropic'), { clock });
  const turn = stage.turn('hello', patient);
  const run = stage.start(turn);
  stage.tool = () => {
    void run.interrupt();
    return new Promise(() => undefined);
  };
  expect((await inTime(clock, stage.play(run))).at(-1)).toEqual({ type: 'stopped' });
  const interrupted = { effect: turn.effect, toolsStarted: ['close_issue'], unseen: [] };
  await inTime(clock, stage.say('hello', { ...patient, attempt: 2, interrupted }));
  expect(provider.requests.at(-1)?.text).toContain('it may have taken effect');
});
