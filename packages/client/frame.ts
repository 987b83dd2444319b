import { Cursor, parseCursor } from '@hearth/protocol/cursor.ts';
import type { Event, UnsupportedEvent } from '@hearth/protocol/event.ts';
import { readEvent } from '@hearth/protocol/event.ts';
import { Frame } from '@hearth/protocol/frame.ts';
import { z } from 'zod';

/*
 * Reading what a stream or a page sends. A newer service may send frames and events that this version does not know:
 * they become `unsupported` and keep their place, so that a client's position stays exact.
 */

/** An event as a surface gets it: with its cursor, and possibly unknown. */
export interface PlacedEvent {
  readonly cursor: Cursor;
  readonly event: Event | UnsupportedEvent;
}

/** A frame as a surface gets it. */
export type StreamFrame =
  | ({ readonly frame: 'event' } & PlacedEvent)
  | Exclude<Frame, { frame: 'event' }>
  | { readonly frame: 'unsupported'; readonly name: string };

/** Gives an event of any kind its place; one that cannot be read at all is `unsupported` under its cursor's number. */
export function placeEvent(cursor: Cursor, value: unknown): PlacedEvent {
  const seq = parseCursor(cursor)?.seq ?? 0;
  return {
    cursor,
    event: readEvent(value) ?? { v: 1, seq, at: '', type: 'unsupported', name: 'unreadable' },
  };
}

const EventFrame = z.object({ frame: z.literal('event'), cursor: Cursor, event: z.unknown() });
const Named = z.looseObject({ frame: z.string() });

/** Reads one frame from the text of its `data`; `null` when it is no frame at all. */
export function readFrame(data: string): StreamFrame | null {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return null;
  }
  const event = EventFrame.safeParse(value);
  if (event.success) return { frame: 'event', ...placeEvent(event.data.cursor, event.data.event) };
  const known = Frame.safeParse(value);
  if (known.success && known.data.frame !== 'event') return known.data;
  const named = Named.safeParse(value);
  return named.success ? { frame: 'unsupported', name: named.data.frame } : null;
}
