import type { Ticket, TicketId } from '@hearth/protocol/ticket.ts';
import { BoardError } from './board-error.ts';
import { unknownTicket, ticketNumber } from './ticket-id.ts';

/*
 * Tickets that must be done before another one is begun. Nobody may wait for what is not there, nor for itself, over others
 * or not: none of a circle would ever be begun.
 */

/** Throws `unknown_ticket` or `invalid_ticket` when a ticket cannot wait for these; `id` is `null` for a new one. */
export function checkBlockers(
  tickets: readonly Ticket[],
  id: TicketId | null,
  blockers: readonly TicketId[],
): void {
  const known = new Map(tickets.map(ticket => [ticket.id, ticket]));
  for (const blocker of blockers) {
    if (!known.has(blocker)) throw unknownTicket(blocker, [...known.keys()].map(ticketNumber));
    if (id !== null && leads(known, blocker, id)) {
      const how =
        blocker === id
          ? 'itself: it would never be begun'
          : `${blocker}, which waits for it: neither would ever be begun; leave one of the two out`;
      throw new BoardError('invalid_ticket', `${id} cannot wait for ${how}.`);
    }
  }
}

/** Whether a ticket waits for another one, over others or not. */
function leads(known: ReadonlyMap<TicketId, Ticket>, from: TicketId, to: TicketId): boolean {
  const seen = new Set([from]);
  for (const id of seen) {
    if (id === to) return true;
    for (const next of known.get(id)?.blockers ?? []) seen.add(next);
  }
  return false;
}
