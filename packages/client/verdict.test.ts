import type { Event } from '@hearth/protocol/event.ts';
import type { ChatPause, Pause, QuestionPause, RecoveryPause } from '@hearth/protocol/pause.ts';
import { describe, expect, it } from 'vitest';
import type { Now } from './now.ts';
import { nowFrom } from './now.ts';
import { World } from './testing/world.ts';
import { judge, TurnLog } from './verdict.ts';

const base = {
  id: 'p1',
  run: 'r1',
  turn: 't1',
  node: 'n',
  branch: null,
  openedAt: '',
  text: 'It broke.',
} as const;
const question: QuestionPause = {
  ...base,
  kind: 'question',
  asker: 'agent',
  blocking: true,
  options: [],
  allowFreeText: true,
};
const failed: RecoveryPause = {
  ...base,
  kind: 'recovery',
  cause: 'failed',
  code: 'auth',
  detail: '',
  choices: [],
  unseen: [],
};
const chat: ChatPause = { ...base, kind: 'chat', quickReplies: [] };

function now(
  turn: [id: 't1' | 't2', status: 'running' | 'waiting'] | null,
  pauses: readonly Pause[] = [],
  queued = false,
): Now {
  return {
    ...nowFrom(new World().view()),
    turn: turn === null ? null : { id: turn[0], status: turn[1], startedAt: '' },
    pauses,
    queue: queued ? [{ message: 'm2', head: '', delivery: 'queue' }] : [],
  };
}

function log(
  ...ends: [turn: 't1' | 't2', change: 'completed' | 'failed' | 'cancelled' | 'absorbed', more?: object][]
): TurnLog {
  const turns = new TurnLog();
  for (const [turn, change, more] of ends) {
    turns.take({ v: 1, seq: 1, at: '', type: 'turn', turn, change, message: 'm1', ...more } as Event);
  }
  return turns;
}

describe('where a turn stands', () => {
  it('waits for its person while a loss was not seen, whatever the turn was about to do', () => {
    const damaged: RecoveryPause = { ...failed, cause: 'damaged', code: 'damaged' };
    expect(judge(log(), now(['t1', 'running'], [damaged]), 't1', 'm1')).toEqual({ is: 'waiting' });
    expect(judge(log(), now(['t1', 'waiting'], [damaged], true), 't2', 'm2')).toEqual({ is: 'waiting' });
  });

  it.each([
    ['it runs', log(), now(['t1', 'running']), null],
    ['it is completed', log(['t1', 'completed']), now(null, [chat]), { is: 'settled' }],
    [
      'it failed',
      log(['t1', 'failed', { code: 'x', summary: 'why' }]),
      now(null),
      { is: 'failed', code: 'x', message: 'why' },
    ],
    ['it was interrupted', log(['t1', 'cancelled']), now(null), { is: 'failed', code: 'cancelled' }],
    [
      'it was stopped at a card',
      log(['t1', 'cancelled', { code: 'STOPPED' }]),
      now(null),
      { is: 'failed', code: 'cancelled', message: 'The turn was stopped.' },
    ],
    ['it waits for an answer', log(), now(['t1', 'waiting'], [question]), { is: 'waiting' }],
    [
      'a question nobody waits for is open',
      log(),
      now(['t1', 'running'], [{ ...question, blocking: false }]),
      null,
    ],
    [
      'it waits after all for a question that held nothing up',
      log(),
      now(['t1', 'waiting'], [{ ...question, blocking: false }]),
      { is: 'waiting' },
    ],
    ['a branch of it asks while another works', log(), now(['t1', 'running'], [question]), null],
    [
      'it is broken',
      log(),
      now(['t1', 'waiting'], [failed]),
      { is: 'failed', code: 'auth', message: 'It broke.' },
    ],
    [
      'a draft of it could not be made',
      log(),
      now(['t1', 'waiting'], [{ ...failed, cause: 'draft_failed' }]),
      { is: 'failed', code: 'auth', message: 'It broke.' },
    ],
    [
      'it was stopped by its budget',
      log(),
      now(['t1', 'waiting'], [{ ...failed, cause: 'budget' }]),
      { is: 'waiting' },
    ],
    ['it ended before the log begins', log(), now(null, [chat]), { is: 'settled' }],
  ])('when %s', (_name, turns, state, verdict) => {
    const judged = judge(turns, state, 't1', 'm1');
    if (verdict === null) expect(judged).toBeNull();
    else expect(judged).toMatchObject(verdict);
  });

  it.each([
    ['another one that runs', log(), now(['t1', 'running'], [], true), null],
    ['another one that runs and asks in a branch', log(), now(['t1', 'running'], [question], true), null],
    ['another one that waits', log(), now(['t1', 'waiting'], [question], true), { is: 'waiting' }],
    ['another one that is broken', log(), now(['t1', 'waiting'], [failed], true), { is: 'waiting' }],
    ['a recovery without a turn', log(), now(null, [failed], true), { is: 'waiting' }],
    ['nothing that is left, on its way to start', log(), now(null, [], true), null],
    ['one that absorbed it and runs', log(['t2', 'absorbed', { into: 't1' }]), now(['t1', 'running']), null],
    [
      'one that absorbed it and ended',
      log(['t2', 'absorbed', { into: 't1' }], ['t1', 'completed']),
      now(null),
      { is: 'settled' },
    ],
    [
      'one that absorbed it and broke',
      log(['t2', 'absorbed', { into: 't1' }]),
      now(['t1', 'waiting'], [failed]),
      { is: 'failed' },
    ],
  ])('when its message is behind %s', (_name, turns, state, verdict) => {
    const judged = judge(turns, state, 't2', 'm2');
    if (verdict === null) expect(judged).toBeNull();
    else expect(judged).toMatchObject(verdict);
  });

  it.each([
    ['idle', now(null, [chat]), { is: 'settled' }],
    ['waiting', now(null, [question]), { is: 'waiting' }],
    ['working', now(['t1', 'running']), null],
    ['about to work', now(null, [chat], true), null],
  ])('without a turn, when the conversation is %s', (_name, state, verdict) => {
    expect(judge(log(), state, null, null)).toEqual(verdict);
  });
});
