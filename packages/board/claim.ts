import type { ConversationId, Instant, PauseId } from '@hearth/protocol/ids.ts';
import type { Ticket, TicketClaim, TicketDispatch } from '@hearth/protocol/ticket.ts';
import { BoardError } from './board-error.ts';
import { commented, DISPATCHER, moved, type Stamp } from './ticket-change.ts';

/*
 * What a dispatcher does to a ticket; each of these is one write of one file, so that a crash leaves all of it or nothing.
 * A claim is a lease: `holder` has it until `until`, and its epoch rises with every claim, so that whatever was begun under
 * an earlier one is refused (`claim_lost`). A claim that has run out is anybody's to take over, with the conversation that
 * it left. `round` rises when a ticket is begun afresh; a conversation and its message are made once for each round.
 */

/** Under which claim a change is made. */
export interface Fence {
  readonly holder: string;
  readonly epoch: number;
}

/** Who claims, and until when, in milliseconds since the Unix epoch. */
export interface Lease {
  readonly holder: string;
  readonly until: number;
}

/** How an attempt failed: `id` names the pause or the turn, so that it is counted once. */
export interface Failed {
  readonly id: string;
  readonly code: string;
  readonly comment: string;
}

/** The ticket with what is known of its dispatch, without the claim. */
type Dispatched = Ticket & { readonly dispatch: TicketDispatch };

/** The longest that a lease may hold without being renewed, in milliseconds. */
export const LONGEST_LEASE_MS = 3_600_000;

/**
 * Whether the claim of a ticket has run out at that time. One that would hold longer than any lease does was made by a clock
 * that has been put right since; nobody waits for that one.
 */
export function ranOut({ until }: TicketClaim, now: number): boolean {
  const left = Date.parse(until) - now;
  return left <= 0 || left > LONGEST_LEASE_MS;
}

/** Claims a ticket that is `ready`: the next attempt of its round when one is due, else a new round. */
export function claimed(ticket: Ticket, lease: Lease, stamp: Stamp): Ticket {
  if (ticket.state !== 'ready' || ticket.claim !== undefined || ticket.bot === null) throw lost(ticket);
  const before = ticket.dispatch;
  const epoch = (before?.epoch ?? 0) + 1;
  const fresh = { round: (before?.round ?? 0) + 1, failures: 0, conversation: null } as const;
  const round = before?.retryAt === undefined ? fresh : before;
  const {
    retryAt: _due,
    gaveUp: _no,
    ...kept
  } = {
    ...round,
    epoch,
    bot: round === before ? before.bot : ticket.bot,
    title: round === before ? before.title : ticket.title,
  } as TicketDispatch;
  const dispatched = { ...ticket, dispatch: kept, claim: claimOf(lease, epoch, stamp.at) };
  return moved(noted(dispatched, 'claimed', stamp), 'in_progress', stamp);
}

/** Takes over a claim that has run out, as it stands: the same round, the same conversation, the same pause. */
export function takenOver(ticket: Ticket, lease: Lease, now: number, stamp: Stamp): Ticket {
  const { claim, dispatch } = ticket;
  if (claim === undefined || dispatch === undefined || !ranOut(claim, now)) throw lost(ticket);
  const epoch = dispatch.epoch + 1;
  const waits = claim.waits === undefined ? {} : { waits: claim.waits };
  return noted(
    {
      ...ticket,
      dispatch: { ...dispatch, epoch },
      claim: { ...claimOf(lease, epoch, stamp.at), ...waits },
    },
    'claimed',
    stamp,
  );
}

/** Prolongs a claim. That is no news: neither the history nor the time of the last change moves. */
export function renewed(ticket: Ticket, fence: Fence, until: number): Ticket {
  const { claim } = held(ticket, fence);
  return { ...ticket, claim: { ...claim, until: new Date(until).toISOString() } };
}

/** The round has its conversation. */
export function opened(ticket: Ticket, fence: Fence, conversation: ConversationId): Ticket {
  const { dispatch } = held(ticket, fence);
  return { ...ticket, dispatch: { ...dispatch, conversation } };
}

/** The run waits for a person: the claim is kept, and a comment says once for each pause who waits for what. */
export function parked(ticket: Ticket, fence: Fence, pause: PauseId, comment: string, stamp: Stamp): Ticket {
  const { claim } = held(ticket, fence);
  const told = claim.waits === pause ? ticket : commented(ticket, comment, stamp);
  return moved({ ...told, claim: { ...claim, waits: pause } }, 'awaiting_input', stamp);
}

/** The run goes on. */
export function resumed(ticket: Ticket, fence: Fence, stamp: Stamp): Ticket {
  const { waits: _over, ...claim } = held(ticket, fence).claim;
  return moved({ ...ticket, claim }, 'in_progress', stamp);
}

/** The work is done: its outcome is a comment, and a person looks at it. */
export function concluded(ticket: Ticket, fence: Fence, comment: string, stamp: Stamp): Ticket {
  return moved(commented(without(ticket, fence), comment, stamp), 'review', stamp);
}

/** The attempt failed and another one is due at `retryAt`. */
export function failedOnce(
  ticket: Ticket,
  fence: Fence,
  { id, code, comment }: Failed,
  retryAt: Instant,
  stamp: Stamp,
): Ticket {
  const free = without(ticket, fence);
  const failures = free.dispatch.failures + 1;
  const dispatch = { ...free.dispatch, failures, failed: id, code, retryAt };
  return moved(commented({ ...free, dispatch }, comment, stamp), 'ready', stamp);
}

/** The last attempt failed: the ticket is blocked until a person moves it. */
export function gaveUp(ticket: Ticket, fence: Fence, { id, code, comment }: Failed, stamp: Stamp): Ticket {
  const free = without(ticket, fence);
  const failures = free.dispatch.failures + 1;
  const dispatch = { ...free.dispatch, failures, failed: id, code, gaveUp: true };
  return moved(commented({ ...free, dispatch }, comment, stamp), 'blocked', stamp);
}

/** The work cannot go on and did not fail: a person stopped it, or its conversation is gone. */
export function setAside(ticket: Ticket, fence: Fence, comment: string, stamp: Stamp): Ticket {
  return moved(commented(without(ticket, fence), comment, stamp), 'blocked', stamp);
}

/** A person has moved the ticket elsewhere, so the dispatcher lets go of it, where it is. */
export function letGo(ticket: Ticket, fence: Fence, stamp: Stamp): Ticket {
  return noted(without(ticket, fence), 'released', stamp);
}

function claimOf({ holder, until }: Lease, epoch: number, at: Instant): TicketClaim {
  return { holder, epoch, at, until: new Date(until).toISOString() };
}

/** The claim and the dispatch, if they are still whose who changes them. */
function held(
  ticket: Ticket,
  fence: Fence,
): { readonly claim: TicketClaim; readonly dispatch: TicketDispatch } {
  const { claim, dispatch } = ticket;
  if (claim === undefined || dispatch === undefined) throw lost(ticket);
  if (claim.holder !== fence.holder || claim.epoch !== fence.epoch) throw lost(ticket);
  return { claim, dispatch };
}

function without(ticket: Ticket, fence: Fence): Dispatched {
  const { dispatch } = held(ticket, fence);
  const { claim: _ended, ...free } = ticket;
  return { ...free, dispatch };
}

function noted(ticket: Ticket, what: 'claimed' | 'released', stamp: Stamp): Ticket {
  const line = { at: stamp.at, by: stamp.by, what };
  return { ...ticket, history: [...ticket.history, line], updatedAt: stamp.at };
}

function lost({ id }: Ticket): BoardError {
  return new BoardError(
    'claim_lost',
    `${id} is not claimed by this ${DISPATCHER} any more; it is left as it is.`,
  );
}
