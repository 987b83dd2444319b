import type { State } from './state.ts';

/** Whether nothing runs and nothing may run: only pauses are left. */
export function quiescent(state: State): boolean {
  const { run } = state.machine;
  if (run === null || run.status === 'ended') return true;
  const held = damageUnseen(state);
  return run.tokens.every(({ stage }) => stage.is !== 'running' && (held || stage.is !== 'ready'));
}

/**
 * Whether a part of the journal was lost and no person has seen it yet. What looks ready may have run in that part, so
 * nothing starts until somebody says "go on".
 */
export function damageUnseen(state: State): boolean {
  return state.machine.pauses.some(pause => pause.kind === 'recovery' && pause.cause === 'damaged');
}
