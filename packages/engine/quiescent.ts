import type { State } from './state.ts';

/** Whether nothing runs and nothing may run: only pauses are left. */
export function quiescent(state: State): boolean {
  const { run } = state.machine;
  if (run === null || run.status === 'ended') return true;
  return run.tokens.every(token => token.stage.is !== 'running' && token.stage.is !== 'ready');
}
