import { Bench } from '@hearth/engine/testing/bench.ts';
import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import { initialState, type State } from '@hearth/engine/state.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { describe, expect, it } from 'vitest';
import type { ConversationRecord } from './ports.ts';
import { ada } from './testing/sample-home.ts';
import { matches, rowFrom, rowOf, viewOf } from './view.ts';

const record: ConversationRecord = {
  format: 1,
  id: 'c_00000000000000000000000001',
  title: 'Nexie',
  scope: { kind: 'workspace', path: '/work' },
  bot: 'whats-next',
  default: true,
  pinned: false,
  origin: 'person',
  epoch: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const place = { revision: 3, retained: '1.0.000000', head: '1.9.aaaaaa' };
const at = '2026-01-01T00:00:00.000Z';
const base = {
  id: 'p1',
  run: 'r1',
  turn: 't1',
  node: 'bot',
  branch: null,
  openedAt: at,
  text: 'Which?',
} as const;
const question: Pause = {
  ...base,
  kind: 'question',
  asker: 'agent',
  blocking: true,
  options: [],
  allowFreeText: true,
};
const home: Pause = { ...base, kind: 'chat', quickReplies: [] };

function state(pauses: Pause[], runs: boolean, more: Partial<State> = {}): State {
  const made = { ...initialState(), ...more };
  const stage = runs
    ? ({ is: 'ready', attempt: 1, resume: null, joined: [] } as const)
    : ({ is: 'home', pause: 'p1' } as const);
  const token = { branch: null, node: 'bot', iteration: 0, input: {}, stage };
  const plan = sha256('plan');
  const ended = { reason: null, code: null, vars: {}, outputs: {}, loops: {}, home: null, unsaid: null };
  return {
    ...made,
    machine: {
      ...made.machine,
      pauses,
      run: { id: 'r1', plan, status: 'active', tokens: [token], ...ended },
    },
  };
}

const view = (of: State) => viewOf(record, of, chatPlan({ burst: { cost: 2 } }), place);

describe('the state of a conversation', () => {
  it.each([
    ['idle', [home], false],
    ['working', [home], true],
    ['waiting', [question], false],
    ['waiting', [question], true],
    ['waiting', [{ ...question, blocking: false }], true],
    ['waiting', [{ ...question, blocking: false }], false],
  ] as const)('is %s', (expected, pauses, runs) => {
    expect(view(state([...pauses], runs)).state).toBe(expected);
  });
});

describe('a view', () => {
  it('refers to long words by their digest and shows their beginning', () => {
    const text = '€'.repeat(30_000);
    const [pause] = view(state([{ ...question, text }], false)).pauses;
    expect(pause?.text).toMatchObject({ blob: sha256(text), bytes: 90_000 });
    const message = {
      id: 'm1',
      turn: 't2',
      text,
      delivery: 'queue',
      by: ada,
      at,
      workspace: null,
      commandId: 'c'.repeat(16),
    } as const;
    const { queue, turn } = view(
      state([home], false, { inbox: [message, { ...message, id: 'm2', text: '€'.repeat(1000) }] }),
    );
    for (const { head } of queue) {
      expect(Buffer.byteLength(head)).toBeLessThanOrEqual(2048);
      expect(head).toMatch(/^€+$/);
    }
    expect(turn).toEqual({ id: 't2', status: 'queued', startedAt: at, activeMs: 0 });
  });

  it('tells where each message is until the agent has it', () => {
    const bench = new Bench();
    bench.send('hello');
    const effect = bench.start();
    bench.send('by the way', { delivery: 'steer' });
    const of = () => viewOf(record, bench.state, bench.plan, place);
    expect(of()).toMatchObject({ queue: [{ message: 'm2', head: 'by the way' }] });
    expect(of()).not.toHaveProperty('delivered');
    bench.enter({ is: 'taken', effect, messages: ['m2'] });
    expect(of()).toMatchObject({ queue: [], delivered: [{ message: 'm2', head: 'by the way' }] });
    bench.enter({ is: 'seen', effect, messages: ['m2'] });
    expect(of()).not.toHaveProperty('delivered');
  });

  it('states the limits that apply, raised ones included', () => {
    const raised = initialState().ledgers;
    raised.raised.push({ ledger: 'burst', axis: 'cost', to: 5 });
    expect(view(state([home], false)).budget.limits).toEqual({ cost: { burst: 2 } });
    expect(view(state([home], false, { ledgers: raised })).budget.limits).toEqual({ cost: { burst: 5 } });
  });
});

it('a row is the same with and without the view', () => {
  const now = state([home], false);
  expect(rowFrom(record, now, at)).toStrictEqual(rowOf(view(now), at));
});

it('a filter looks at scope, state and title', () => {
  const row = rowOf(view(state([home], false)), at);
  expect(matches(row, {})).toBe(true);
  expect(matches(row, { text: 'nex', state: 'idle', scope: record.scope })).toBe(true);
  expect(matches(row, { state: 'working' })).toBe(false);
  expect(matches(row, { text: 'other' })).toBe(false);
  expect(matches(row, { scope: { kind: 'global' } })).toBe(false);
  expect(matches(row, { scope: { kind: 'workspace', path: '/else' } })).toBe(false);
});
