import type { Actor } from '@hearth/protocol/actor.ts';
import type { Event, UnsupportedEvent } from '@hearth/protocol/event.ts';
import type { CommandId, MessageId, PauseId, TurnId } from '@hearth/protocol/ids.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { BlobRef, Text } from '@hearth/protocol/text.ts';
import type { Fact } from './facts.ts';
import { factOf } from './facts.ts';

/*
 * The transcript of a conversation, folded from its events. Items never change in place: an item that is the same
 * object is the same on screen, so that a surface may cache what it drew. `key` is unique and stays with the item.
 */

/** What became of a message. */
export type Fate = Extract<Event, { type: 'message.moved' }>['to'];

interface Base {
  readonly key: string;
  readonly seq: number;
  readonly at: string;
  readonly turn: TurnId | null;
}

/** Words of a person, of a script or of the service, from any surface. `fate` is `null` until something is known. */
export interface Said extends Base {
  readonly is: 'said';
  readonly message: MessageId;
  readonly by: Actor;
  readonly text: Text;
  /** Files that came with them; absent where none did. */
  readonly files?: readonly BlobRef[];
  readonly fate: Fate | null;
  readonly delivery: 'steer' | 'queue' | null;
  readonly commandId: CommandId | null;
}

/** The bot's reply. */
export interface Replied extends Base {
  readonly is: 'replied';
  readonly message: MessageId;
  readonly by: Actor;
  readonly text: Text;
}

/** What the bot says while it works. */
export interface Narrated extends Base {
  readonly is: 'narrated';
  readonly node: string;
  readonly text: Text;
}

/** A call of a tool and how it stands; `ms` is how long it took, once it has ended. */
export interface ToolLine {
  readonly call: string;
  readonly name: string;
  readonly change: 'started' | 'completed' | 'failed' | 'denied';
  readonly title: string | null;
  readonly detail: Text | null;
  readonly ms: number | null;
}

/** Tools of one turn that were used one after the other, with nothing said in between. */
export interface Tools extends Base {
  readonly is: 'tools';
  readonly calls: readonly ToolLine[];
}

/** How a pause was closed, and by whom. */
export interface Closed {
  readonly how: 'answered' | 'acted' | 'cancelled' | 'superseded';
  readonly by: Actor;
  readonly option: string | null;
  readonly action: string | null;
  readonly text: Text | null;
}

/** A pause that waits for a person, as it stood last; `closed` says how it ended. Chat pauses are no items. */
export interface Asked extends Base {
  readonly is: 'asked';
  readonly pause: Pause;
  readonly closed: Closed | null;
}

/**
 * A pause from before the log's boundary, as the transcript tells of it: its words and how it ended. What could be chosen
 * is not told there.
 */
export interface Recalled extends Base {
  readonly is: 'recalled';
  readonly pause: PauseId;
  readonly kind: string;
  readonly text: Text;
  readonly closed: Closed | null;
}

/** A fact about the conversation itself, such as a reset or a bot that changed. */
export interface Told extends Base, Fact {
  readonly is: 'told';
}

/** One thing to be drawn, in the order of the log. `key` is the same for as long as the thing is. */
export type Item = Said | Replied | Narrated | Tools | Asked | Recalled | Told;

type Items = readonly Item[];
type Placed = Event | UnsupportedEvent;

function place(event: Placed, key: string): Base {
  const turn = event.type === 'unsupported' ? undefined : event.turn;
  return { key, seq: event.seq, at: event.at, turn: turn ?? null };
}

/** Replaces the latest item for which `change` gives another one. */
function replaced(items: Items, change: (item: Item) => Item | null): Items {
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at];
    const next = item === undefined ? null : change(item);
    if (next !== null) return items.with(at, next);
  }
  return items;
}

/** Whether there is nothing in it to read. */
export function isEmpty(text: Text): boolean {
  return typeof text === 'string' && text.trim() === '';
}

function message(items: Items, event: Extract<Event, { type: 'message' }>): Items {
  if (isEmpty(event.text)) return items;
  const { by, text } = event;
  const base = { ...place(event, event.message), message: event.message, by, text };
  if (by.kind === 'bot') return [...items, { is: 'replied', ...base }];
  const { delivery = null, commandId = null, attachments } = event;
  const files = attachments.length > 0 ? { files: attachments } : {};
  return [...items, { is: 'said', ...base, ...files, fate: null, delivery, commandId }];
}

function moved(items: Items, event: Extract<Event, { type: 'message.moved' }>): Items {
  return replaced(items, item =>
    item.is === 'said' && item.message === event.message ? { ...item, fate: event.to } : null,
  );
}

function tool(items: Items, event: Extract<Event, { type: 'tool' }>): Items {
  const known = replaced(items, item => {
    if (item.is !== 'tools' || item.turn !== (event.turn ?? null)) return null;
    const at = item.calls.findLastIndex(line => line.call === event.call && line.name === event.name);
    const line = item.calls[at];
    if (line === undefined || line.change !== 'started' || event.change === 'started') return null;
    const { change, title = line.title, detail = line.detail, ms = null } = event;
    return { ...item, calls: item.calls.with(at, { ...line, change, title, detail, ms }) };
  });
  if (known !== items) return known;
  const { call, name, change, title = null, detail = null, ms = null } = event;
  const line: ToolLine = { call, name, change, title, detail, ms };
  const last = items.at(-1);
  if (last?.is === 'tools' && last.turn === (event.turn ?? null)) {
    return items.with(-1, { ...last, calls: [...last.calls, line] });
  }
  return [...items, { is: 'tools', ...place(event, `tools-${event.seq}`), calls: [line] }];
}

function asked(items: Items, event: Placed, pause: Pause): Items {
  if (pause.kind === 'chat') return items;
  const fresh: Asked = { is: 'asked', ...place(event, pause.id), turn: pause.turn, pause, closed: null };
  const at = items.findLastIndex(item => isAsked(item, pause.id));
  const item = items[at];
  if (item?.is !== 'asked') return [...items, fresh];
  // Another version of a card is news, and stands where it came and not where the card was first shown.
  return showsAnother(item.pause, pause)
    ? [...items.toSpliced(at, 1), fresh]
    : items.with(at, { ...item, pause });
}

function showsAnother(before: Pause, now: Pause): boolean {
  return before.kind === 'card' && now.kind === 'card' && before.shown.version !== now.shown.version;
}

/** How an event closes its pause. */
export function closedOf(event: Extract<Event, { type: 'pause.closed' }>): Closed {
  const { how, by, option = null, action = null, text = null } = event;
  return { how, by, option, action, text };
}

function closed(items: Items, event: Extract<Event, { type: 'pause.closed' }>): Items {
  return replaced(items, item =>
    item.is === 'asked' && item.pause.id === event.pause ? { ...item, closed: closedOf(event) } : null,
  );
}

function told(items: Items, event: Placed): Items {
  const fact = factOf(event);
  return fact === null ? items : [...items, { is: 'told', ...place(event, `told-${event.seq}`), ...fact }];
}

/** The transcript after one more event; the same array when the event has no place in it. */
export function foldItems(items: Items, event: Placed): Items {
  switch (event.type) {
    case 'message':
      return message(items, event);
    case 'message.moved':
      return moved(items, event);
    case 'narration':
      return isEmpty(event.text)
        ? items
        : [
            ...items,
            { is: 'narrated', ...place(event, `narrated-${event.seq}`), node: event.node, text: event.text },
          ];
    case 'tool':
      return tool(items, event);
    case 'pause.opened':
    case 'pause.changed':
      return asked(items, event, event.pause);
    case 'pause.closed':
      return closed(items, event);
    default:
      return told(items, event);
  }
}

/** The item of an open pause whose opening the log no longer holds. */
export function askedBefore(pause: Pause): Asked {
  return { is: 'asked', key: pause.id, seq: 0, at: pause.openedAt, turn: pause.turn, pause, closed: null };
}

/** Whether the item is the opening of this pause. */
export function isAsked(item: Item, pause: PauseId): boolean {
  return item.is === 'asked' && item.pause.id === pause;
}
