import type { Docket } from '@hearth/decisions/docket.ts';
import type { State } from './state.ts';

/** What the judge may see of a state. Cards and their actions come with the review language. */
export function docketOf(state: State): Docket {
  return {
    open: state.machine.pauses,
    closed: state.machine.closed,
    lastPause: state.counters.pause,
    stops: () => false,
    revises: () => false,
  };
}
