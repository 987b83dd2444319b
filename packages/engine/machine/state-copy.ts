import type { State } from '../state.ts';
import { copyOf } from './copy.ts';

/**
 * A private copy of a state. Messages that wait and pauses that closed are written once and never changed, and there may
 * be many of each: their lists are copied and they are shared, so that a message costs the same however many wait.
 */
export function stateCopy(state: State): State {
  const { machine, inbox } = state;
  // Emptied in place, so that the members keep their order, in which a state is written down.
  const copy = copyOf<State>({ ...state, machine: { ...machine, closed: [] }, inbox: [] });
  copy.machine.closed = [...machine.closed];
  copy.inbox = [...inbox];
  return copy;
}
