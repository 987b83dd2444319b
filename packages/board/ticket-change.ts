import { canonicalJson } from '@hearth/protocol/json.ts';
import type {
  BotArgs,
  NewTicket,
  Ticket,
  TicketChange,
  TicketId,
  TicketState,
} from '@hearth/protocol/ticket.ts';
import { ticketNumber } from './ticket-id.ts';
import { firstState, transition } from './transitions.ts';

/*
 * What may happen to a ticket, as pure functions from ticket to ticket. Each appends exactly one line to the history
 * and moves `updatedAt`; when nothing would change it returns the very same object, so that a caller can tell by `===`.
 */

/** Who changes a ticket, and when. */
export interface Stamp {
  readonly at: string;
  readonly by: string;
}

type Delta = Omit<TicketChange, 'at' | 'by'>;

function changed(ticket: Ticket, stamp: Stamp, fields: Partial<Ticket>, delta: Delta): Ticket {
  const line: TicketChange = { at: stamp.at, by: stamp.by, ...delta };
  return { ...ticket, ...fields, history: [...ticket.history, line], updatedAt: stamp.at };
}

/** `from` and `to` of a history line; what is absent is left out. */
function step(from: string | null, to: string | null): Pick<TicketChange, 'from' | 'to'> {
  return { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
}

/** Labels as they are stored: trimmed, sorted, without repeats, so that equal sets are equal arrays. */
export function labelSet(labels: readonly string[]): string[] {
  return [...new Set(labels.map(label => label.trim()).filter(label => label !== ''))].sort();
}

/** A blank name is nobody. */
function nobody(name: string | null | undefined): string | null {
  return name === null || name === undefined || name.trim() === '' ? null : name.trim();
}

/** A ticket at its beginning, with the first line of its history. Blank names are nobody. */
export function created(id: TicketId, fresh: NewTicket, stamp: Stamp): Ticket {
  const state = fresh.state ?? firstState;
  return {
    id,
    title: fresh.title.trim(),
    body: fresh.body ?? '',
    state,
    labels: labelSet(fresh.labels ?? []),
    bot: nobody(fresh.bot),
    ...(fresh.botArgs === undefined ? {} : { botArgs: fresh.botArgs }),
    ...(fresh.priority === undefined ? {} : { priority: fresh.priority }),
    ...blocking(fresh.blockers ?? []),
    owner: nobody(fresh.owner),
    comments: [],
    history: [{ at: stamp.at, by: stamp.by, what: 'created', to: state }],
    createdAt: stamp.at,
    updatedAt: stamp.at,
  };
}

/** Who is written down as the author of what the dispatcher does. */
export const DISPATCHER = 'dispatcher';

/**
 * Written down as moved, closed or reopened, as the table of states says. Whoever moves a ticket that was given up, or that
 * waits for another attempt, has it begun afresh.
 */
export function moved(ticket: Ticket, to: TicketState, stamp: Stamp): Ticket {
  const what = transition(ticket.state, to);
  if (what === null) return ticket;
  const begun = stamp.by === DISPATCHER ? ticket : afresh(ticket);
  return changed(begun, stamp, { state: to }, { what, from: ticket.state, to });
}

function afresh(ticket: Ticket): Ticket {
  if (ticket.dispatch === undefined) return ticket;
  const { retryAt: _due, gaveUp: _no, failed: _which, code: _why, ...dispatch } = ticket.dispatch;
  return { ...ticket, dispatch: { ...dispatch, failures: 0 } };
}

/** `null` takes the args away. */
export function argsSet(ticket: Ticket, args: BotArgs | null, stamp: Stamp): Ticket {
  const { botArgs, ...bare } = ticket;
  if (canonicalJson(botArgs ?? null) === canonicalJson(args)) return ticket;
  return changed(args === null ? bare : { ...bare, botArgs: args }, stamp, {}, { what: 'edited' });
}

/** `null` takes the priority away. */
export function prioritySet(ticket: Ticket, priority: number | null, stamp: Stamp): Ticket {
  const { priority: before = null, ...bare } = ticket;
  if (before === priority) return ticket;
  const line = step(before === null ? null : String(before), priority === null ? null : String(priority));
  const next = priority === null ? bare : { ...bare, priority };
  return changed(next, stamp, {}, { what: 'prioritised', ...line });
}

/** `blockers` is the whole new set. */
export function blockersSet(ticket: Ticket, blockers: readonly TicketId[], stamp: Stamp): Ticket {
  const { blockers: before = [], ...bare } = ticket;
  const next = blocking(blockers);
  if (canonicalJson(before) === canonicalJson(next.blockers ?? [])) return ticket;
  return changed({ ...bare, ...next }, stamp, {}, { what: 'edited' });
}

/** Blockers as they are stored: in order, without repeats; none is nothing. */
function blocking(ids: readonly TicketId[]): { readonly blockers?: TicketId[] } {
  const blockers = [...new Set(ids)].toSorted((a, b) => ticketNumber(a) - ticketNumber(b));
  return blockers.length === 0 ? {} : { blockers };
}

/** `labels` is the whole new set. */
export function labelled(ticket: Ticket, labels: readonly string[], stamp: Stamp): Ticket {
  const next = labelSet(labels);
  const same =
    next.length === ticket.labels.length && next.every((label, index) => label === ticket.labels[index]);
  if (same) return ticket;
  const line = step(ticket.labels.join(', ') || null, next.join(', ') || null);
  return changed(ticket, stamp, { labels: next }, { what: 'labelled', ...line });
}

/** `null` or a blank takes the owner away. */
export function assigned(ticket: Ticket, owner: string | null, stamp: Stamp): Ticket {
  const next = nobody(owner);
  if (next === ticket.owner) return ticket;
  return changed(ticket, stamp, { owner: next }, { what: 'assigned', ...step(ticket.owner, next) });
}

/** `null` or a blank takes the bot away. */
export function botSet(ticket: Ticket, bot: string | null, stamp: Stamp): Ticket {
  const next = nobody(bot);
  if (next === ticket.bot) return ticket;
  return changed(ticket, stamp, { bot: next }, { what: 'bot', ...step(ticket.bot, next) });
}

/** The ticket with one more comment. */
export function commented(ticket: Ticket, body: string, stamp: Stamp): Ticket {
  const comments = [...ticket.comments, { author: stamp.by, body, at: stamp.at }];
  return changed(ticket, stamp, { comments }, { what: 'commented' });
}

/** A new title is kept in the history, a new body only as the fact. */
export function edited(ticket: Ticket, to: { title?: string; body?: string }, stamp: Stamp): Ticket {
  const title = to.title?.trim() ?? ticket.title;
  const body = to.body ?? ticket.body;
  if (title === ticket.title && body === ticket.body) return ticket;
  const delta = title === ticket.title ? {} : step(ticket.title, title);
  return changed(ticket, stamp, { title, body }, { what: 'edited', ...delta });
}
