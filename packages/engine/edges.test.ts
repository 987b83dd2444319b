import type { PlanEdge } from '@hearth/language/plan.ts';
import { describe, expect, it } from 'vitest';
import { chooseEdge } from './edges.ts';
import { inputOf } from './inputs.ts';
import { chatPlan } from './testing/sample-plan.ts';
import { initialState, type RunState } from './state.ts';

const LEDGERS = initialState().ledgers;

const run = (more: Partial<RunState> = {}): RunState => ({
  id: 'r1',
  plan: `sha256:${'0'.repeat(64)}`,
  status: 'active',
  reason: null,
  code: null,
  vars: { goal: 'ship' },
  tokens: [],
  outputs: {},
  loops: {},
  home: null,
  unsaid: null,
  ...more,
});

const edge = (to: string, more: Partial<PlanEdge> = {}): PlanEdge => ({
  from: 'a',
  to,
  when: null,
  loop: null,
  with: [],
  ...more,
});
const field = (name: string, negated = false): PlanEdge['when'] => ({ is: 'field', field: name, negated });
const expr = (path: string[]): PlanEdge['when'] => ({
  is: 'expr',
  expr: { is: 'path', path },
  source: path.join('.'),
});
const plan = (edges: PlanEdge[]) => ({ ...chatPlan({ cap: 2 }), edges });

describe('chooseEdge', () => {
  it('takes the first condition that holds before any plain edge', () => {
    const edges = [
      edge('plain'),
      edge('no', { when: field('ok', true) }),
      edge('yes', { when: field('ok') }),
    ];
    expect(chooseEdge(plan(edges), run(), 'a', { ok: true }, LEDGERS)).toMatchObject({ edge: { to: 'yes' } });
    expect(chooseEdge(plan(edges), run(), 'a', { ok: false }, LEDGERS)).toMatchObject({ edge: { to: 'no' } });
  });

  it('takes the first plain edge otherwise, a loop one included', () => {
    const edges = [edge('yes', { when: field('ok') }), edge('round', { loop: 'talk' }), edge('plain')];
    expect(chooseEdge(plan(edges), run(), 'a', { ok: false }, LEDGERS)).toMatchObject({
      edge: { to: 'round' },
    });
  });

  it('passes over an exhausted loop', () => {
    const spent = run({ loops: { talk: { count: 2, added: 0, staged: null, previous: null } } });
    const edges = [edge('round', { loop: 'talk' }), edge('plain')];
    expect(chooseEdge(plan(edges), spent, 'a', {}, LEDGERS)).toMatchObject({ edge: { to: 'plain' } });
    expect(chooseEdge(plan([edge('round', { loop: 'talk' })]), spent, 'a', {}, LEDGERS)).toMatchObject({
      none: 'loop_exhausted',
      loop: 'talk',
    });
    const raised = run({ loops: { talk: { count: 2, added: 1, staged: null, previous: null } } });
    expect(chooseEdge(plan([edge('round', { loop: 'talk' })]), raised, 'a', {}, LEDGERS)).toMatchObject({
      edge: { to: 'round' },
    });
  });

  it('passes over a guard that cannot be judged, and says so', () => {
    const edges = [edge('yes', { when: field('ok') }), edge('plain')];
    const choice = chooseEdge(plan(edges), run(), 'a', { ok: 'true' }, LEDGERS);
    expect(choice).toMatchObject({ edge: { to: 'plain' }, skipped: [expect.stringContaining('no boolean')] });
  });

  it('uses truthiness for expressions over the source’s output', () => {
    const edges = [edge('yes', { when: expr(['input', 'words']) }), edge('plain')];
    expect(chooseEdge(plan(edges), run(), 'a', { words: 'no' }, LEDGERS)).toMatchObject({
      edge: { to: 'plain' },
    });
    expect(chooseEdge(plan(edges), run(), 'a', { words: 'some' }, LEDGERS)).toMatchObject({
      edge: { to: 'yes' },
    });
  });

  it('has no edge to take', () => {
    expect(chooseEdge(plan([]), run(), 'a', {}, LEDGERS)).toMatchObject({ none: 'no_edge' });
  });
});

describe('inputOf', () => {
  const mapped = (from: string, key: string, ...path: string[]): PlanEdge => ({
    ...edge('b'),
    from,
    with: [{ key, value: [{ path, raw: false }] }],
  });

  it('maps every edge whose source has an output, later over earlier', () => {
    const edges = [
      mapped('a', 'x', 'input', 'v'),
      mapped('c', 'x', 'outputs', 'c', 'v'),
      mapped('d', 'y', 'outputs', 'd', 'v'),
    ];
    const state = run({ outputs: { a: { v: 1 }, c: { v: [2] } } });
    expect(inputOf(plan(edges), state, 'b', LEDGERS)).toEqual({ x: [2] });
  });

  it('lays the source’s output over the vars in a with value, and maps what is missing to null', () => {
    const edges = [mapped('a', 'goal', 'input', 'goal'), mapped('a', 'none', 'outputs', 'zzz', 'v')];
    expect(inputOf(plan(edges), run({ outputs: { a: {} } }), 'b', LEDGERS)).toEqual({
      goal: 'ship',
      none: null,
    });
  });

  it('gives the entry the vars, and any other node nothing', () => {
    expect(inputOf(plan([]), run(), 'seed', LEDGERS)).toEqual({ goal: 'ship' });
    expect(inputOf(plan([]), run(), 'b', LEDGERS)).toEqual({});
  });
});
