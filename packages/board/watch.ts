import type { TicketLook, WatchedTicket } from '@hearth/engine/watched.ts';
import type { Ticket, TicketChange } from '@hearth/protocol/ticket.ts';

/** The changes that take a ticket to another state. */
const MOVES: ReadonlySet<TicketChange['what']> = new Set(['moved', 'closed', 'reopened']);

/**
 * What whoever watches a ticket is to be told, when it is `ticket` now (`null`: there is none); `null` when nothing is new.
 * A ticket's history is kept for ever, so that every move is told once, however many there were since the last look and
 * whoever made them.
 */
export function lookAt(
  watched: Pick<WatchedTicket, 'ticket' | 'workspace' | 'state' | 'seen'>,
  ticket: Ticket | null,
): TicketLook | null {
  const { ticket: id, workspace } = watched;
  if (ticket === null) return { ticket: id, workspace, found: null, moves: [] };
  const { title, state, history } = ticket;
  const found = { title, state, seen: history.length };
  if (watched.state === null) return { ticket: id, workspace, found, moves: [] };
  const moves = history
    .slice(watched.seen)
    .flatMap(({ what, from, to }) =>
      MOVES.has(what) && from !== undefined && to !== undefined ? [{ change: what, from, to }] : [],
    );
  return moves.length === 0 ? null : { ticket: id, workspace, found, moves };
}
