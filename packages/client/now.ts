import type { Event, UnsupportedEvent } from '@hearth/protocol/event.ts';
import type { MessageId, RunId, TurnId } from '@hearth/protocol/ids.ts';
import { isDrafting, owes, type Pause } from '@hearth/protocol/pause.ts';
import type { Scope } from '@hearth/protocol/scope.ts';
import { headOf } from '@hearth/protocol/text.ts';
import type {
  ConversationState,
  ConversationView,
  Delivery,
  KeptRule,
  WatchedTicket,
} from '@hearth/protocol/view.ts';
import type { Item, Said } from './item.ts';

/*
 * What can be acted on now: taken whole from a view and carried on by the events after it, and only by those.
 */

/** How a conversation stands at this moment, as a surface shows it beside what was said. */
export interface Now {
  readonly title: string;
  readonly scope: Scope;
  readonly bot: string;
  readonly isDefault: boolean;
  readonly pinned: boolean;
  readonly run: RunId | null;
  /** The turn under way. One that is queued is not: `queue` tells of it. */
  readonly turn: {
    readonly id: TurnId;
    readonly status: 'running' | 'waiting';
    readonly startedAt: string;
  } | null;
  /** First come, first served. */
  readonly pauses: readonly Pause[];
  readonly queue: readonly {
    readonly message: MessageId;
    readonly head: string;
    readonly delivery: Delivery;
  }[];
  readonly session: { readonly backend: string; readonly degraded: boolean } | null;
  /** Tickets that the bot handed over, and how each stands; the latest last. */
  readonly watched: readonly WatchedTicket[];
  /** What a person allowed or denied for good, the latest last. */
  readonly rules: readonly KeptRule[];
}

/** What a view says can be acted on. */
export function nowFrom(view: ConversationView): Now {
  const { title, scope, bot, isDefault, pinned, pauses, queue, session, watched = [], rules = [] } = view;
  const { id, status, startedAt } = view.turn ?? { status: 'queued' };
  const turn = id === undefined || status === 'queued' ? null : { id, status, startedAt };
  const run = view.run?.id ?? null;
  return { title, scope, bot, isDefault, pinned, run, turn, pauses, queue, session, watched, rules };
}

/** `waiting`: a person is asked for something; `working`: a turn runs or is about to; else `idle`. */
export function stateOf(now: Now): ConversationState {
  if (now.pauses.some(pause => owes(pause) && !isDrafting(pause))) return 'waiting';
  return now.turn === null && now.queue.length === 0 ? 'idle' : 'working';
}

type Fold<K extends Event['type']> = (
  now: Now,
  event: Extract<Event, { type: K }>,
  items: readonly Item[],
) => Now;

function unqueued(now: Now, message: MessageId): Now {
  return now.queue.some(row => row.message === message)
    ? { ...now, queue: now.queue.filter(row => row.message !== message) }
    : now;
}

function queued(now: Now, message: MessageId, items: readonly Item[]): Now {
  if (now.queue.some(row => row.message === message)) return now;
  const said = items.findLast((item): item is Said => item.is === 'said' && item.message === message);
  const head = said === undefined ? '' : headOf(said.text);
  return { ...now, queue: [...now.queue, { message, head, delivery: said?.delivery ?? 'queue' }] };
}

function withoutPause(now: Now, drop: (pause: Pause) => boolean): Now {
  return now.pauses.some(drop) ? { ...now, pauses: now.pauses.filter(pause => !drop(pause)) } : now;
}

function withPause(now: Now, pause: Pause): Now {
  const at = now.pauses.findIndex(open => open.id === pause.id);
  return { ...now, pauses: at < 0 ? [...now.pauses, pause] : now.pauses.with(at, pause) };
}

function runTurn(now: Now, event: Extract<Event, { type: 'turn' }>, status: 'running' | 'waiting'): Now {
  const startedAt = now.turn?.id === event.turn ? now.turn.startedAt : event.at;
  return { ...now, turn: { id: event.turn, status, startedAt } };
}

function endTurn(now: Now, event: Extract<Event, { type: 'turn' }>): Now {
  const rest = unqueued(now, event.message);
  return rest.turn?.id === event.turn ? { ...rest, turn: null } : rest;
}

const TURN: Record<Extract<Event, { type: 'turn' }>['change'], Fold<'turn'>> = {
  queued: (now, event, items) => queued(now, event.message, items),
  // A turn that starts has left home base, whatever else is told of it.
  started: (now, event) =>
    withoutPause(runTurn(unqueued(now, event.message), event, 'running'), p => p.kind === 'chat'),
  waiting: (now, event) => runTurn(now, event, 'waiting'),
  resumed: (now, event) => runTurn(now, event, 'running'),
  completed: endTurn,
  failed: endTurn,
  cancelled: endTurn,
  absorbed: endTurn,
};

function watch(now: Now, event: Extract<Event, { type: 'ticket' }>): Now {
  if (!event.watched) return now;
  const { ticket, title, state, workspace } = event;
  const row = { ticket, title, state, ...(workspace === undefined ? {} : { workspace }) };
  const at = now.watched.findIndex(one => one.ticket === ticket && one.workspace === workspace);
  return { ...now, watched: at < 0 ? [...now.watched, row] : now.watched.with(at, row) };
}

const FOLDS: { readonly [K in Event['type']]?: Fold<K> } = {
  conversation: (now, event) => ({
    ...now,
    title: event.title,
    bot: event.bot,
    scope: event.scope,
    pinned: event.change === 'pinned' ? true : event.change === 'unpinned' ? false : now.pinned,
  }),
  'message.moved': (now, event, items) =>
    event.to === 'queued' ? queued(now, event.message, items) : unqueued(now, event.message),
  run: (now, event) => (event.change === 'ended' ? { ...now, run: null } : { ...now, run: event.run }),
  turn: (now, event, items) => TURN[event.change](now, event, items),
  'pause.opened': (now, event) => withPause(now, event.pause),
  'pause.changed': (now, event) => withPause(now, event.pause),
  'pause.closed': (now, event) => withoutPause(now, pause => pause.id === event.pause),
  ticket: watch,
  rule: (now, { change, rule, grant, by, at }) => {
    const others = now.rules.filter(kept => kept.rule !== rule);
    return { ...now, rules: change === 'kept' ? [...others, { rule, grant, by, at }] : others };
  },
  session: (now, event) => {
    if (event.change === 'compacted') return now;
    const degraded = event.change === 'degraded' || event.change === 'reseeded';
    return { ...now, session: { backend: event.backend, degraded } };
  },
};

/** What can be acted on after one more event. `items` is the transcript with that event in it. */
export function foldNow(now: Now, event: Event | UnsupportedEvent, items: readonly Item[]): Now {
  if (event.type === 'unsupported') return now;
  const fold = FOLDS[event.type] as ((now: Now, event: Event, items: readonly Item[]) => Now) | undefined;
  return fold?.(now, event, items) ?? now;
}
