import type { TicketId } from '@hearth/protocol/ticket.ts';
import { BoardError } from './board-error.ts';
import { distance } from './nearest.ts';

/** The id with this number. */
export function ticketId(number: number): TicketId {
  return `HB-${number}`;
}

/** The number of an id, which is also its order. */
export function ticketNumber(id: TicketId): number {
  return Number(id.slice('HB-'.length));
}

/** Reads `HB-4`, `hb-4` or `4`; `null` for anything else. */
export function parseTicketId(text: string): TicketId | null {
  const match = /^(?:hb-)?([1-9]\d{0,8})$/i.exec(text.trim());
  return match?.[1] === undefined ? null : ticketId(Number(match[1]));
}

/** Reads an id as `parseTicketId` does. Throws `unknown_ticket` for anything else. */
export function ticketIdOf(text: string): TicketId {
  const id = parseTicketId(text);
  if (id === null)
    throw new BoardError('unknown_ticket', `"${text}" is not a ticket id (ids look like HB-4).`);
  return id;
}

/** The error for an id that the board does not have; `known` are the numbers it has. */
export function unknownTicket(text: string, known: readonly number[]): BoardError {
  const id = parseTicketId(text);
  const subject =
    id === null ? `"${text}" is not a ticket id (ids look like HB-4)` : `There is no ticket ${id}`;
  if (known.length === 0) return new BoardError('unknown_ticket', `${subject}; the board is empty.`);
  const wanted = id === null ? null : ticketNumber(id);
  const ranked = known.toSorted((a, b) => {
    if (wanted === null) return b - a;
    const edits = distance(String(a), String(wanted)) - distance(String(b), String(wanted));
    return edits === 0 ? Math.abs(a - wanted) - Math.abs(b - wanted) || a - b : edits;
  });
  const shown = ranked.slice(0, 3).map(ticketId).join(', ');
  const which = wanted === null ? 'the newest tickets are' : 'the nearest are';
  return new BoardError('unknown_ticket', `${subject} on this board; ${which} ${shown}.`);
}
