import { TicketState } from '@hearth/protocol/ticket.ts';
import type { TicketChange } from '@hearth/protocol/ticket.ts';
import { BoardError } from './board-error.ts';
import { nearest } from './nearest.ts';

/*
 * The states of a ticket, in one table. Any state may follow any other; what differs is only what the move is called.
 * A closed ticket leaves its state by an explicit move and by nothing else: comments, labels and owners leave it closed.
 */

interface StateRow {
  /** For people. */
  readonly label: string;
  /** Columns of a board and rows of a list, lowest first. */
  readonly order: number;
  readonly closed: boolean;
}

/** Every state, its label, and its place in lists. Any state may follow any other. */
export const states: Readonly<Record<TicketState, StateRow>> = {
  inbox: { label: 'Inbox', order: 0, closed: false },
  backlog: { label: 'Backlog', order: 1, closed: false },
  ready: { label: 'Ready', order: 2, closed: false },
  in_progress: { label: 'In progress', order: 3, closed: false },
  awaiting_input: { label: 'Awaiting input', order: 4, closed: false },
  review: { label: 'Review', order: 5, closed: false },
  blocked: { label: 'Blocked', order: 6, closed: false },
  done: { label: 'Done', order: 7, closed: true },
};

/** Where a ticket starts when nobody says otherwise. */
export const firstState: TicketState = 'inbox';

/** Where closing a ticket takes it. */
export const closedState = 'done' satisfies TicketState;

/** Whether tickets in that state are closed. */
export function isClosed(state: TicketState): boolean {
  return states[state].closed;
}

/** What a move is written down as; `null` when it is no move. */
export function transition(from: TicketState, to: TicketState): TicketChange['what'] | null {
  if (from === to) return null;
  if (isClosed(to)) return 'closed';
  return isClosed(from) ? 'reopened' : 'moved';
}

/** `In progress`, `in-progress` and `in_progress` are one state. */
function spelled(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}

/** Reads a state as people and models write it. Throws `unknown_state` with the nearest and all the states. */
export function ticketState(text: string): TicketState {
  const parsed = TicketState.safeParse(spelled(text));
  if (parsed.success) return parsed.data;
  const meant = nearest(spelled(text), TicketState.options);
  const hint = meant === null ? '' : ` Did you mean "${meant}"?`;
  throw new BoardError(
    'unknown_state',
    `"${text}" is not a state of a ticket; the states are ${TicketState.options.join(', ')}.${hint}`,
  );
}
