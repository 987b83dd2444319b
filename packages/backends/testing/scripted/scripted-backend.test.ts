import type { BackendEvent, BackendTurn, Host, InboxMessage, SessionStart } from '@hearth/engine/backend.ts';
import { describe, expect, test } from 'vitest';
import {
  ask,
  awaitOffers,
  die,
  done,
  draft,
  fail,
  gate,
  narrate,
  reply,
  type StepView,
  seen,
  sleep,
  stream,
  take,
  tool,
} from './step.ts';
import { collected } from './collected.ts';
import { ScriptedBackend } from './scripted-backend.ts';

const host: Host = {
  call: call => Promise.resolve({ content: { called: call.name } }),
  permit: () => Promise.resolve('allow'),
};

function turn(session: SessionStart = { mode: 'fresh' }): BackendTurn {
  return {
    effect: 'e1',
    attempt: 1,
    node: 'agent',
    directory: '/backend/agent',
    workspace: null,
    session,
    prompt: { system: '', user: 'hello', attachments: [] },
    answers: [],
    tools: [],
    mayAsk: true,
    permission: { mode: 'off', allow: [], ask: [], deny: [] },
    output: null,
    model: { model: 'auto', provider: null, effort: null },
    maxSteps: 80,
    quietMs: 1000,
  };
}

async function run(backend: ScriptedBackend, session?: SessionStart): Promise<BackendEvent[]> {
  return await collected(backend.start(turn(session), host, new AbortController().signal));
}

function resume(id: string, strict = false): SessionStart {
  return { mode: 'resume', id, fingerprint: 'scripted-1', strict, recap: { turns: [] } };
}

test('a script runs step by step, is counted, and its turn is recorded', async () => {
  const backend = new ScriptedBackend([
    [
      narrate('Reading.'),
      stream(2),
      draft('Hi'),
      tool('list_issues'),
      tool('list_issues', { state: 'ready' }),
      done(view => ({ reply: `read ${view.results.length}` })),
    ],
  ]);
  const events = await run(backend);
  expect(events.map(event => event.type)).toEqual([
    'session',
    'narration',
    'draft',
    'draft',
    'draft',
    'done',
  ]);
  expect(events.at(-1)).toEqual({ type: 'done', output: { reply: 'read 2' }, text: 'read 2' });
  expect(backend.count('tool list_issues')).toBe(2);
  expect(backend.calls.map(call => call.id)).toEqual(['s1', 's2']);
  expect(backend.turns[0]?.prompt.user).toBe('hello');
  expect(backend.emitted[0]).toEqual(events);
});

test('each start takes the next turn of the script, and one too many is said to be', async () => {
  const backend = new ScriptedBackend([
    [ask('Which?', [{ id: 'a', label: 'A' }])],
    [reply('Thanks.')],
    [narrate('…')],
  ]);
  expect((await run(backend)).at(-1)).toMatchObject({
    type: 'parked',
    asks: [{ text: 'Which?', allowFreeText: false }],
  });
  expect((await run(backend)).at(-1)).toMatchObject({
    output: { reply: 'Thanks.', close: false, quick_replies: [] },
  });
  expect((await run(backend)).at(-1)).toMatchObject({
    code: 'protocol',
    message: 'The script has no end for turn 3.',
  });
  expect((await run(backend)).at(-1)).toMatchObject({
    code: 'protocol',
    message: 'The script has no turn 4.',
  });
});

describe('sessions', () => {
  const backend = () => new ScriptedBackend(() => [reply('ok')], { knows: ['old'] });
  test.each([
    ['a fresh one is opened', undefined, { id: 'scripted-session-1', how: 'opened' }],
    ['a known one is resumed', resume('old'), { id: 'old', how: 'resumed' }],
    ['a known one is forked', { ...resume('old'), mode: 'fork' } as SessionStart, { how: 'forked' }],
    ['a lost one is reseeded and says so', resume('gone'), { how: 'reseeded', degraded: expect.any(String) }],
    ['a lost strict one fails', resume('gone', true), { type: 'failed', code: 'session_lost' }],
  ])('%s', async (_, session, first) => {
    expect((await run(backend(), session))[0]).toMatchObject(first);
  });
  test('sessions can be lost between turns', async () => {
    const scripted = backend();
    scripted.loseSessions();
    expect((await run(scripted, resume('old')))[0]).toMatchObject({ how: 'reseeded' });
  });
});

test('messages offered are taken and seen, once each', async () => {
  const views: StepView[] = [];
  const backend = new ScriptedBackend([
    [
      awaitOffers(2),
      take(),
      take(),
      seen(),
      seen(),
      reply(view => {
        views.push(view);
        return view.offered.map(one => one.text).join(' ');
      }),
    ],
  ]);
  const started = backend.start(turn(), host, new AbortController().signal);
  const events = collected(started);
  const messages: InboxMessage[] = [
    { id: 'm1', text: 'one' },
    { id: 'm2', text: 'two' },
  ];
  for (const message of messages) started.offer(message);
  expect(await events).toMatchObject([
    { type: 'session' },
    { type: 'taken', messages: ['m1', 'm2'] },
    { type: 'seen', messages: ['m1', 'm2'] },
    { type: 'done', text: 'one two' },
  ]);
  started.offer({ id: 'm3', text: 'late' });
  expect(views[0]?.offered).toHaveLength(2);
});

describe('what ends a turn early', () => {
  const never = new Promise(() => {});
  test('an interrupt, even while a step waits', async () => {
    const backend = new ScriptedBackend([[gate(never), reply('never')]]);
    const started = backend.start(turn(), host, new AbortController().signal);
    const events = collected(started);
    await started.interrupt();
    expect((await events).at(-1)).toEqual({ type: 'stopped' });
    expect(backend.interrupts).toBe(1);
    expect(backend.count('reply')).toBe(0);
  });
  test('an abort', async () => {
    const aborting = new AbortController();
    const backend = new ScriptedBackend([[gate(never), reply('never')]]);
    const events = collected(backend.start(turn(), host, aborting.signal));
    aborting.abort();
    expect((await events).at(-1)).toEqual({ type: 'stopped' });
  });
  test('a failure, and a death of the iterator', async () => {
    const backend = new ScriptedBackend([[fail('quota', 'No credit.', true)], [die('bang')]]);
    expect((await run(backend)).at(-1)).toEqual({
      type: 'failed',
      code: 'quota',
      message: 'No credit.',
      began: true,
    });
    await expect(run(backend)).rejects.toThrow('bang');
  });
});

test("gates and clocks are the test's own", async () => {
  let wake: () => void = () => {};
  const clock = {
    now: () => 0,
    active: () => 0,
    after: (_ms: number, callback: () => void) => ((wake = callback), () => {}),
  };
  const backend = new ScriptedBackend([[gate(Promise.resolve()), sleep(clock, 50), reply('woken')]]);
  const events = collected(backend.start(turn(), host, new AbortController().signal));
  await expect.poll(() => backend.count('sleep')).toBe(1);
  wake();
  expect((await events).at(-1)).toMatchObject({ text: 'woken' });
});
