import type { RunState } from '../state.ts';

/** A run in which nothing has happened; `but` is what is otherwise. */
export function sampleRun(but: Partial<RunState> = {}): RunState {
  return {
    id: 'r1',
    plan: `sha256:${'0'.repeat(64)}`,
    status: 'active',
    reason: null,
    code: null,
    vars: {},
    tokens: [],
    outputs: {},
    loops: {},
    home: null,
    unsaid: null,
    ...but,
  };
}
