import type { TicketState } from '@hearth/protocol/ticket.ts';
import type { BoardTicket } from './board-reading.ts';
import { isBlocked, quickWin, type Reason } from './quick-win.ts';
import { fold } from './words.ts';

/*
 * At most three tickets with their reasons, the best first, which is the pick. The order is total (rank, then the
 * ticket's number), so the same board always gives the same answer.
 */

/** What the person is after: something small, or what matters next. */
export type Aim = 'quick_win' | 'next';

/** A ticket and why it is named, in the order in which the reasons are said. */
export interface Candidate {
  readonly ticket: BoardTicket;
  readonly reasons: readonly Reason[];
}

/** How long a shortlist may be. */
export const SHORTLIST = 3;

const urgent =
  /^((priority|prio|priorite|severity)[-:/ ]*)?(p?0|p1|urgente?|critical|critique|high|haute?|highest|blocker|security|securite|now)$/;
const important = /^((priority|prio|priorite)[-:/ ]*)?(p2|medium|moyenne?|important|bug|regression)$/;

function priority(ticket: BoardTicket): { weight: number; label: string | null } {
  const labels = ticket.labels.map(label => ({ label, folded: fold(label.normalize('NFC')) }));
  const first = labels.find(({ folded }) => urgent.test(folded));
  if (first !== undefined) return { weight: 2, label: first.label };
  const second = labels.find(({ folded }) => important.test(folded));
  return second === undefined ? { weight: 0, label: null } : { weight: 1, label: second.label };
}

/** States that a next step may come from, with their weight: what is nearly done comes first. */
const nextWeight: Readonly<Partial<Record<TicketState, number>>> = {
  review: 3,
  ready: 2,
  backlog: 1,
  inbox: 0,
};

function judged(
  ticket: BoardTicket,
  board: readonly BoardTicket[],
  aim: Aim,
): (Candidate & { rank: number }) | null {
  const { weight, label } = priority(ticket);
  const labelled: Reason[] = label === null ? [] : [{ is: 'priority_label', label }];
  const ready: Reason[] = ticket.state === 'ready' ? [{ is: 'ready' }] : [];
  if (aim === 'quick_win') {
    const small = quickWin(ticket, board);
    if (small === null) return null;
    const rank = small.clear * 100 + weight * 10 + (nextWeight[ticket.state] ?? 0);
    return { ticket, rank, reasons: [...small.reasons, ...ready, ...labelled] };
  }
  const state = nextWeight[ticket.state];
  if (state === undefined || isBlocked(ticket, board)) return null;
  const begun: Reason[] = ticket.state === 'review' ? [{ is: 'in_review' }] : ready;
  return { ticket, rank: weight * 100 + state * 10, reasons: [...labelled, ...begun, { is: 'unblocked' }] };
}

function number(ticket: BoardTicket): number {
  return Number(/\d+$/.exec(ticket.id)?.[0] ?? Number.MAX_SAFE_INTEGER);
}

/** Everything that fits the aim, best first. */
export function ranked(
  tickets: readonly BoardTicket[],
  board: readonly BoardTicket[],
  aim: Aim,
): Candidate[] {
  return tickets
    .flatMap(ticket => judged(ticket, board, aim) ?? [])
    .sort((a, b) => b.rank - a.rank || number(a.ticket) - number(b.ticket))
    .map(({ ticket, reasons }) => ({ ticket, reasons }));
}

/** The first three of `ranked`; the first of them is the pick. */
export function shortlist(
  tickets: readonly BoardTicket[],
  board: readonly BoardTicket[],
  aim: Aim,
): Candidate[] {
  return ranked(tickets, board, aim).slice(0, SHORTLIST);
}
