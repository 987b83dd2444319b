import type { ConversationId, Instant, PauseId } from '@hearth/protocol/ids.ts';
import type { Ticket, TicketClaim, TicketDispatch, TicketId } from '@hearth/protocol/ticket.ts';
import { ranOut } from './claim.ts';
import { ticketNumber } from './ticket-id.ts';

/*
 * What a dispatcher is to do next: a pure function of the tickets, of how their conversations stand, and of the time.
 * Every action is one step whose repetition changes nothing, and what has been done shows in the ticket or in the
 * conversation; so a dispatcher that is stopped anywhere goes on by asking again. A pause is never a failure: a run that
 * waits for a person keeps its claim, takes no place, and counts no attempt.
 */

/** How a ticket's conversation stands. */
export type Standing =
  /** It was closed. */
  | { readonly is: 'gone' }
  /** It cannot be looked at now, or nothing can be saved in it. */
  | { readonly is: 'unknown' }
  /** Nothing was said in it yet. */
  | { readonly is: 'fresh' }
  | { readonly is: 'working' }
  | {
      readonly is: 'waiting';
      readonly pause: PauseId;
      readonly text: string;
      readonly failure: Failure | null;
    }
  | { readonly is: 'completed'; readonly text: string }
  | { readonly is: 'failed'; readonly failure: Failure }
  /** A person stopped the turn. */
  | { readonly is: 'stopped' };

/** An attempt that failed; `id` is the pause at which it waits, or the turn that ended. */
export interface Failure {
  readonly id: string;
  readonly code: string;
  readonly text: string;
  /** From then on another attempt makes sense, as a provider says. */
  readonly retryAt?: Instant;
}

/** A ticket and whose board it is on. */
export interface Placed {
  readonly workspace: string;
  readonly ticket: Ticket;
}

/** Everything that a plan of the dispatcher depends on. */
export interface DispatchFacts {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Names this dispatcher since it started. */
  readonly holder: string;
  /** Whether new work may begin; what is under way is followed either way. */
  readonly on: boolean;
  /** Tickets in progress at once; those that wait for a person take no place. */
  readonly concurrency: number;
  /** Attempts before it gives up. */
  readonly attempts: number;
  /** For how long a claim holds without being renewed, in milliseconds. */
  readonly leaseMs: number;
  readonly tickets: readonly Placed[];
  /** The tickets that are closed, by `placeOf`: what others wait for. */
  readonly closed: ReadonlySet<string>;
  readonly standings: ReadonlyMap<ConversationId, Standing>;
  /** Why a ticket's bot cannot work on it; of those that were tried. By `placeOf`. */
  readonly unfit: ReadonlyMap<string, string>;
}

/** A ticket that is claimed by this dispatcher. */
export interface Held extends Placed {
  readonly claim: TicketClaim;
  readonly dispatch: TicketDispatch;
}

/** One step that is due. Carrying it out twice comes to the same as once. */
export type Action =
  | ({ readonly do: 'claim' } & Placed)
  | ({ readonly do: 'take_over' } & Placed)
  | ({ readonly do: 'renew' } & Held)
  /** Makes the conversation of the round and notes it. */
  | ({ readonly do: 'open' } & Held)
  /** Sends what is to be done; `again`: once more, since the run of the last attempt has ended. */
  | ({ readonly do: 'send'; readonly conversation: ConversationId; readonly again: boolean } & Held)
  /** Lets a held step run again. */
  | ({ readonly do: 'again'; readonly conversation: ConversationId; readonly pause: PauseId } & Held)
  | ({
      readonly do: 'park';
      readonly conversation: ConversationId;
      readonly pause: PauseId;
      readonly text: string;
    } & Held)
  | ({ readonly do: 'resume' } & Held)
  | ({ readonly do: 'conclude'; readonly conversation: ConversationId; readonly text: string } & Held)
  | ({
      readonly do: 'retry';
      readonly conversation: ConversationId;
      readonly failure: Failure;
      readonly at: Instant;
    } & Held)
  | ({ readonly do: 'give_up'; readonly conversation: ConversationId; readonly failure: Failure } & Held)
  | ({ readonly do: 'set_aside'; readonly why: 'gone' | 'stopped' } & Held)
  /** A person moved the ticket: its claim ends, and what still works on it is interrupted. */
  | ({ readonly do: 'let_go'; readonly conversation: ConversationId | null } & Held);

/** Why a ticket that is `ready` is not worked on now. */
export type Wait =
  | { readonly why: 'off' | 'no_bot' | 'no_place' | 'held' }
  | { readonly why: 'unfit' | 'blockers'; readonly detail: string }
  | { readonly why: 'retry'; readonly at: Instant };

/** The wait before the second attempt, in milliseconds; each one after it waits twice as long. */
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 3_600_000;
/** The longest wait that is taken from a provider: a pause tells of none that is longer. */
const LONGEST_TOLD_MS = 31 * 24 * 3_600_000;
/** Failures that may pass by themselves. Any other one that comes twice in a row will come again. */
const PASSING: ReadonlySet<string> = new Set(['quota', 'overloaded', 'network', 'quiet', 'crashed', 'cold']);
/** A ticket without a priority stands between those that have one. */
const ORDINARY = 5;

/** Names a ticket among those of all boards. */
export function placeOf({ workspace, ticket }: Placed): string {
  return placeNamed(workspace, ticket.id);
}

function placeNamed(workspace: string, id: TicketId): string {
  return `${workspace}\n${id}`;
}

/** Whether a dispatcher has to do with a ticket. */
export function concerns({ state, claim, dispatch }: Ticket): boolean {
  return state === 'ready' || claim !== undefined || (state === 'blocked' && dispatch?.gaveUp === true);
}

/** What to do now, what is under way first, then what is to be begun. None: nothing until something changes. */
export function plan(facts: DispatchFacts): readonly Action[] {
  const followed = facts.tickets.flatMap(placed => follow(facts, placed));
  const begun = queue(facts).flatMap(({ placed, wait }): Action[] =>
    wait === null ? [{ do: 'claim', ...placed }] : [],
  );
  return [...followed, ...begun];
}

/** The tickets that are `ready` in the order in which they are begun, and why each waits; `null`: it does not. */
export function queue(
  facts: DispatchFacts,
): readonly { readonly placed: Placed; readonly wait: Wait | null }[] {
  let places = facts.concurrency - facts.tickets.filter(({ ticket }) => takesPlace(ticket)).length;
  return facts.tickets
    .filter(({ ticket }) => ticket.state === 'ready')
    .toSorted(inTurn)
    .map(placed => {
      const wait = waitOf(facts, placed) ?? (places > 0 ? null : ({ why: 'no_place' } as const));
      if (wait === null) places -= 1;
      return { placed, wait };
    });
}

/** The first time at which something will be due by itself: a retry, or the renewal of a claim. `null`: never. */
export function nextDue({ tickets, holder, leaseMs, now, on }: DispatchFacts): number | null {
  const due = tickets.flatMap(({ ticket: { claim, dispatch, state } }) => {
    if (claim !== undefined) return [Date.parse(claim.until) - (claim.holder === holder ? leaseMs / 2 : 0)];
    return on && state === 'ready' && dispatch?.retryAt !== undefined ? [Date.parse(dispatch.retryAt)] : [];
  });
  return due.length === 0 ? null : Math.max(now, Math.min(...due));
}

function takesPlace({ claim, state }: Ticket): boolean {
  return claim !== undefined && state !== 'awaiting_input';
}

/** By priority, then the one that was made first. */
function inTurn(a: Placed, b: Placed): number {
  const byPriority = (a.ticket.priority ?? ORDINARY) - (b.ticket.priority ?? ORDINARY);
  if (byPriority !== 0) return byPriority;
  if (a.ticket.createdAt !== b.ticket.createdAt) return a.ticket.createdAt < b.ticket.createdAt ? -1 : 1;
  return ticketNumber(a.ticket.id) - ticketNumber(b.ticket.id);
}

function waitOf({ now, on, unfit, closed }: DispatchFacts, placed: Placed): Wait | null {
  const { bot, claim, dispatch, blockers = [] } = placed.ticket;
  if (bot === null) return { why: 'no_bot' };
  if (claim !== undefined) return { why: 'held' };
  const detail = unfit.get(placeOf(placed));
  if (detail !== undefined) return { why: 'unfit', detail };
  const open = blockers.filter(id => !closed.has(placeNamed(placed.workspace, id)));
  if (open.length > 0) return { why: 'blockers', detail: open.join(', ') };
  if (!on) return { why: 'off' };
  const at = dispatch?.retryAt;
  return at !== undefined && isAhead(at, now) ? { why: 'retry', at } : null;
}

/** Whether an attempt is due later. One that no provider could have asked for is of a clock that has been put right. */
function isAhead(at: Instant, now: number): boolean {
  const left = Date.parse(at) - now;
  return left > 0 && left <= LONGEST_TOLD_MS;
}

/** What is to be done about a ticket that is claimed. */
function follow(facts: DispatchFacts, placed: Placed): readonly Action[] {
  const { claim, dispatch } = placed.ticket;
  if (claim === undefined || dispatch === undefined) return [];
  const { now, holder, leaseMs } = facts;
  if (claim.holder !== holder) return ranOut(claim, now) ? [{ do: 'take_over', ...placed }] : [];
  const held: Held = { ...placed, claim, dispatch };
  const actions = next(facts, held);
  const renew =
    Date.parse(claim.until) - now <= leaseMs / 2 && actions.every(({ do: what }) => !ENDS.has(what));
  return renew ? [{ do: 'renew', ...held }, ...actions] : actions;
}

/** After these there is no claim. */
const ENDS: ReadonlySet<Action['do']> = new Set(['conclude', 'retry', 'give_up', 'set_aside', 'let_go']);

function next(facts: DispatchFacts, held: Held): readonly Action[] {
  const { conversation, failed } = held.dispatch;
  const { state } = held.ticket;
  if (state !== 'in_progress' && state !== 'awaiting_input') return [{ do: 'let_go', ...held, conversation }];
  if (conversation === null) return [{ do: 'open', ...held }];
  const standing = facts.standings.get(conversation) ?? { is: 'unknown' };
  switch (standing.is) {
    case 'unknown':
      return [];
    case 'gone':
      return [{ do: 'set_aside', ...held, why: 'gone' }];
    case 'stopped':
      return [{ do: 'set_aside', ...held, why: 'stopped' }];
    case 'fresh':
      return [{ do: 'send', ...held, conversation, again: false }];
    case 'working':
      return state === 'in_progress' && held.claim.waits === undefined ? [] : [{ do: 'resume', ...held }];
    case 'completed':
      return [{ do: 'conclude', ...held, conversation, text: standing.text }];
    case 'failed':
      if (standing.failure.id === failed) return [{ do: 'send', ...held, conversation, again: true }];
      return [afterFailure(facts, held, conversation, standing.failure)];
    case 'waiting': {
      const { pause, text, failure } = standing;
      if (failure !== null && failure.id !== failed)
        return [afterFailure(facts, held, conversation, failure)];
      if (failure !== null) return [{ do: 'again', ...held, conversation, pause }];
      const told = held.claim.waits === pause && state === 'awaiting_input';
      return told ? [] : [{ do: 'park', ...held, conversation, pause, text }];
    }
    default: {
      const never: never = standing;
      return never;
    }
  }
}

function afterFailure(
  { now, attempts }: DispatchFacts,
  held: Held,
  conversation: ConversationId,
  failure: Failure,
): Action {
  const { failures, code } = held.dispatch;
  const hopeless = code === failure.code && !PASSING.has(code);
  if (hopeless || failures + 1 >= attempts) return { do: 'give_up', ...held, conversation, failure };
  const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
  const told = failure.retryAt === undefined ? 0 : Date.parse(failure.retryAt);
  return {
    do: 'retry',
    ...held,
    conversation,
    failure,
    at: new Date(Math.max(now + wait, told)).toISOString(),
  };
}
