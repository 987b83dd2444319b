import type { Cursor } from '@hearth/protocol/cursor.ts';
import { parseCursor } from '@hearth/protocol/cursor.ts';
import type { Event, UnsupportedEvent } from '@hearth/protocol/event.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { CommandId, ConversationId, PauseId, TurnId } from '@hearth/protocol/ids.ts';
import { isDrafting, type Pause } from '@hearth/protocol/pause.ts';
import type { Recovery } from '@hearth/protocol/recovery.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import type { PlacedEvent, StreamFrame } from './frame.ts';
import type { Item } from './item.ts';
import { askedBefore, foldItems, isAsked } from './item.ts';
import type { Now } from './now.ts';
import { foldNow, nowFrom } from './now.ts';
import type { Past } from './past.ts';
import { pastBefore, sewn, withClosing, withPage } from './past.ts';
import { sanitiseLine } from './sanitise.ts';
import type { Link } from './stream.ts';

/*
 * The view model that console and studio draw. It changes only through `reduce`, which is pure and total: the same
 * frames give the same model however they are split into backlog and live ones, and an event that arrives twice
 * changes nothing. Events up to `stateSeq` fill the transcript only; what can be acted on is the view of that moment.
 */

/** How many quick replies are ever shown. */
export const QUICK_REPLIES = 4;

/** Text that is still being written; volatile. */
export interface Draft {
  readonly turn: TurnId;
  readonly node: string;
  readonly sequence: number;
  readonly text: string;
}

/** Words of this surface that the log does not hold yet. */
export interface Sending {
  readonly commandId: CommandId;
  readonly text: string;
  /** The files that go with it. */
  readonly files: readonly Attached[];
}

/** Everything that a surface draws of a conversation. It is never changed: each frame gives another one. */
export interface Model {
  readonly id: ConversationId;
  readonly now: Now;
  /** The view's `revision` when it was last known exactly. */
  readonly revision: number;
  /** What the log tells. */
  readonly items: readonly Item[];
  /** What was read back of what lies before the log. */
  readonly past: Past;
  /** The last event that was taken in; what a stream resumes after. */
  readonly cursor: Cursor | null;
  readonly seq: number;
  /** Where `now` was last taken from a view. */
  readonly stateSeq: number;
  /** The pause that is shown; it stays until it closes, however many others open. */
  readonly shown: PauseId | null;
  readonly draft: Draft | null;
  readonly sending: readonly Sending[];
  readonly surfaces: readonly { readonly surface: string; readonly name: string }[];
  readonly link: Link;
  /** Why nothing can be saved in the conversation now; `null` while all is well. */
  readonly trouble: Trouble | null;
}

/** A problem's code, and one sentence for a person. */
export interface Trouble {
  readonly code: string;
  readonly detail: string;
}

/** What moves a model: the stream's frames, and what the surface itself learns and does. */
export type Input =
  | StreamFrame
  | { readonly frame: 'link'; readonly link: Link }
  /** A page of the history, and what it was asked for. */
  | { readonly frame: 'past'; readonly before: number; readonly page: HistoryPage }
  /** The state of a reply; an older one than what is known is ignored. */
  | { readonly frame: 'view'; readonly view: ConversationView }
  | { readonly frame: 'sending'; readonly sending: Sending }
  /** A message that was refused or given up; its text is back with its writer. */
  | { readonly frame: 'unsent'; readonly commandId: CommandId };

function seqOf(cursor: Cursor): number {
  return parseCursor(cursor)?.seq ?? 0;
}

function isOpen(now: Now, pause: PauseId | null): boolean {
  return now.pauses.some(open => open.id === pause);
}

function acting(model: Model, now: Now): Model {
  if (now === model.now) return model;
  const shown = isOpen(now, model.shown)
    ? model.shown
    : (now.pauses.find(pause => pause.kind !== 'chat')?.id ?? null);
  return { ...model, now, shown };
}

function endsDraft(draft: Draft, event: Event | UnsupportedEvent): boolean {
  if (event.type === 'unsupported' || event.turn !== draft.turn) return false;
  if (event.type === 'message') return event.by.kind === 'bot';
  if (event.type === 'turn') return event.change !== 'queued';
  return event.type === 'narration' || event.type === 'pause.opened';
}

function takeEvent(model: Model, { cursor, event }: PlacedEvent): Model {
  if (event.seq <= model.seq) return model;
  const items = foldItems(model.items, event);
  const draft = model.draft !== null && endsDraft(model.draft, event) ? null : model.draft;
  const commandId = event.type === 'message' ? event.commandId : undefined;
  const sending = model.sending.some(row => row.commandId === commandId)
    ? model.sending.filter(row => row.commandId !== commandId)
    : model.sending;
  // What happens has been saved.
  const trouble = event.seq > model.stateSeq ? null : model.trouble;
  const past = items === model.items ? withClosing(sewn(model.past, event), event) : sewn(model.past, event);
  const next = { ...model, items, past, draft, sending, cursor, seq: event.seq, trouble };
  return event.seq <= model.stateSeq ? next : acting(next, foldNow(model.now, event, items));
}

function takeView(model: Model, view: ConversationView): Model {
  const at = seqOf(view.head);
  if (at < model.seq || at < model.stateSeq) return model;
  const trouble = view.trouble ?? null;
  return { ...acting(model, nowFrom(view)), revision: view.revision, stateSeq: at, trouble };
}

function recover(model: Model, recovery: Recovery): Model {
  const empty = {
    ...model,
    items: [],
    past: pastBefore(seqOf(recovery.resetCursor)),
    draft: null,
    cursor: recovery.resetCursor,
    seq: seqOf(recovery.resetCursor),
  };
  const at = { ...empty, stateSeq: seqOf(recovery.stateCursor) };
  return recovery.view === null
    ? at
    : {
        ...acting(at, nowFrom(recovery.view)),
        revision: recovery.view.revision,
        trouble: recovery.view.trouble ?? null,
      };
}

/** The service ends the stream. When it cannot save what happens, whatever was at work has been stopped. */
function cut(model: Model, trouble: Trouble | null): Model {
  if (trouble === null) return model;
  const { turn } = model.now;
  const now = turn === null ? model.now : { ...model.now, turn: { ...turn, status: 'waiting' as const } };
  return { ...acting(model, now), trouble };
}

function takeDraft(model: Model, draft: Draft): Model {
  const old = model.draft;
  const late =
    old !== null && old.turn === draft.turn && old.node === draft.node && draft.sequence <= old.sequence;
  return late ? model : { ...model, draft };
}

/** The model after one input; the same object when nothing changed. */
export function reduce(model: Model, input: Input): Model {
  switch (input.frame) {
    case 'event':
      return takeEvent(model, input);
    case 'draft': {
      const { turn, node, sequence, text } = input;
      return takeDraft(model, { turn, node, sequence, text });
    }
    case 'recover':
      return recover(model, input.recovery);
    case 'presence':
      return { ...model, surfaces: input.surfaces };
    case 'link':
      // A draft of an older connection may have been finished unseen; its durable words come with the backlog.
      return { ...model, link: input.link, draft: input.link.is === 'connected' ? null : model.draft };
    case 'past': {
      const past = withPage(model.past, input.before, input.page, model.items);
      return past === model.past ? model : { ...model, past };
    }
    case 'view':
      return takeView(model, input.view);
    case 'sending':
      return { ...model, sending: [...model.sending, input.sending] };
    case 'unsent':
      return { ...model, sending: model.sending.filter(row => row.commandId !== input.commandId) };
    case 'cut':
      return cut(model, input.problem ?? null);
    case 'heartbeat':
    case 'unsupported':
      return model;
  }
}

/**
 * The model of a conversation from its state and the events of its log so far (any part of it that ends at the view's
 * head or goes beyond; what lies beyond moves the state on).
 */
export function modelFrom(
  view: ConversationView,
  events: readonly PlacedEvent[],
  after: Cursor | null = null,
): Model {
  const now = nowFrom(view);
  const start: Model = {
    id: view.id,
    now,
    revision: view.revision,
    items: [],
    past: pastBefore(after === null ? 0 : seqOf(after)),
    cursor: after,
    seq: after === null ? 0 : seqOf(after),
    stateSeq: seqOf(view.head),
    shown: now.pauses.find(pause => pause.kind !== 'chat')?.id ?? null,
    draft: null,
    sending: [],
    surfaces: [],
    link: { is: 'connecting' },
    trouble: view.trouble ?? null,
  };
  return events.reduce(takeEvent, start);
}

/** Whether the model may be behind what has happened: it is not being followed now. Stale is shown as stale. */
export function isStale(model: Model): boolean {
  return model.link.is !== 'connected';
}

/** The open pauses that ask a person for something, oldest first. */
export function openPauses(model: Model): readonly Pause[] {
  return model.now.pauses.filter(pause => pause.kind !== 'chat');
}

/** Those of them that wait for the person now: a card of which another version is being made does not. */
export function waitingPauses(model: Model): readonly Pause[] {
  return openPauses(model).filter(pause => !isDrafting(pause));
}

/** The pause to show, if one is open. */
export function shownPause(model: Model): Pause | null {
  return model.now.pauses.find(pause => pause.id === model.shown) ?? null;
}

/** The quick replies to show: at most four, and only at home base. What is shown is what is sent, so they are words only. */
export function quickReplies(model: Model): readonly string[] {
  const home = model.now.pauses.find(pause => pause.kind === 'chat');
  const words = (home?.quickReplies ?? []).map(sanitiseLine);
  return words.filter(reply => reply !== '').slice(0, QUICK_REPLIES);
}

/**
 * All that is drawn above the composer: what was read back, then what the log tells. An open pause of which the log no
 * longer tells stands where the transcript has it, or between the two.
 */
export function transcript(model: Model): readonly Item[] {
  const untold = openPauses(model).filter(pause => !model.items.some(item => isAsked(item, pause.id)));
  if (untold.length === 0 && model.past.items.length === 0) return model.items;
  const past = model.past.items.map(item => {
    const open = item.is === 'recalled' ? untold.find(pause => pause.id === item.pause) : undefined;
    return open === undefined ? item : askedBefore(open);
  });
  const between = untold.filter(pause => !past.some(item => isAsked(item, pause.id)));
  return [...past, ...between.map(askedBefore), ...model.items];
}
