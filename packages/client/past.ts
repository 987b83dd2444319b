import type { Event, UnsupportedEvent } from '@hearth/protocol/event.ts';
import type { HistoryEnd, HistoryPage, TranscriptLine } from '@hearth/protocol/history.ts';
import type { PauseId } from '@hearth/protocol/ids.ts';
import { markFact } from './facts.ts';
import type { Closed, Item, Recalled } from './item.ts';
import { closedOf, isAsked, isEmpty } from './item.ts';

/*
 * What lies before the boundary of the log, read back page by page from the transcript, through all epochs. The log's
 * own items stay as they are; a line of the page at the seam that the log still tells is left out. Pure.
 */

/** What was read back so far, and where the page before it ends. */
export interface Past {
  /** Oldest first; all of them lie before the items of the log. */
  readonly items: readonly Item[];
  /** What to ask the history for next; `null` when nothing is older. */
  readonly before: number | null;
  /** Why nothing is older; `null` while something may be. */
  readonly end: HistoryEnd | null;
  /** When the events were committed among which the boundary may lie; `null` when the seam is settled. */
  readonly seam: string | null;
  /** How pauses ended of whose opening nothing has been read yet. */
  readonly closings: ReadonlyMap<PauseId, Closed>;
}

/** Nothing read yet of what lies before the boundary, a sequence number. */
export function pastBefore(boundary: number): Past {
  return {
    items: [],
    before: boundary === 0 ? null : boundary + 1,
    end: boundary === 0 ? 'beginning' : null,
    seam: boundary === 0 ? null : '',
    closings: new Map(),
  };
}

/**
 * The seam after one more event of the log. A boundary may part a commit, whose words stand at its last event: so the
 * first page must reach up to there. The events of one commit have one time and follow each other.
 */
export function sewn(past: Past, event: Event | UnsupportedEvent): Past {
  if (past.seam === null || past.before === null) return past;
  const inside = past.seam === '' || (past.seam === event.at && past.before === event.seq);
  return inside ? { ...past, seam: event.at, before: event.seq + 1 } : { ...past, seam: null };
}

/** With how a pause ended, when an event that changed no item tells so: then the log does not tell of its opening. */
export function withClosing(past: Past, event: Event | UnsupportedEvent): Past {
  if (event.type !== 'pause.closed' || past.before === null) return past;
  const closed = closedOf(event);
  // Home base is left by a message, which names nothing.
  const named = closed.option ?? closed.action ?? closed.text;
  if (closed.how === 'answered' && named === null) return past;
  return { ...past, closings: new Map(past.closings).set(event.pause, closed) };
}

/** With the page that was asked for; `told` are the items of the log. The same object when it is another page. */
export function withPage(past: Past, before: number, page: HistoryPage, told: readonly Item[]): Past {
  if (past.before !== before) return past;
  const closings = new Map(past.closings);
  const items: Item[] = [];
  for (const [at, line] of page.items.entries()) {
    const item = itemOf(line, `${line.seq}-${at}`);
    if (line.is === 'decided') closings.set(line.pause, closedBy(line));
    if (item !== null && !told.some(other => isSame(item, other))) items.push(item);
  }
  return {
    items: [...items.map(item => concluded(item, closings)), ...past.items],
    before: page.previous,
    end: page.end,
    seam: null,
    closings,
  };
}

function itemOf(line: TranscriptLine, place: string): Item | null {
  const { seq, at, turn } = line;
  switch (line.is) {
    case 'said': {
      const { message, by, text, attachments: files } = line;
      if (isEmpty(text)) return null;
      const base = {
        key: message,
        seq,
        at,
        turn,
        message,
        by,
        text,
        ...(files === undefined ? {} : { files }),
      };
      return { is: 'said', ...base, fate: null, delivery: null, commandId: null };
    }
    case 'replied': {
      const { message, by, text } = line;
      return isEmpty(text) ? null : { is: 'replied', key: message, seq, at, turn, message, by, text };
    }
    case 'asked': {
      const { pause, kind, text } = line;
      // Home base repeats the reply, which is there already.
      if (kind === 'chat') return null;
      return { is: 'recalled', key: pause, seq, at, turn, pause, kind, text, closed: null };
    }
    case 'decided':
      return null;
    case 'mark': {
      const fact = markFact(line);
      return fact === null ? null : { is: 'told', key: `mark-${place}`, seq, at, turn, ...fact };
    }
  }
}

/** Whether the log tells of the same thing. */
function isSame(item: Item, told: Item): boolean {
  if (item.is === 'recalled') return isAsked(told, item.pause);
  if (item.is === 'told') return told.is === 'told' && told.code === item.code && told.seq <= item.seq;
  return told.key === item.key;
}

function concluded(item: Item, closings: Map<PauseId, Closed>): Item {
  if (item.is !== 'recalled') return item;
  const closed = closings.get(item.pause) ?? null;
  closings.delete(item.pause);
  return { ...item, closed } satisfies Recalled;
}

const HOW: readonly Closed['how'][] = ['answered', 'acted', 'cancelled', 'superseded'];

function closedBy(line: Extract<TranscriptLine, { is: 'decided' }>): Closed {
  const { by, label, option = null, text = null } = line;
  const how = HOW.find(one => one === line.how) ?? 'answered';
  return { how, by, option: label ?? option, action: null, text };
}
