import { z } from 'zod';
import { Cursor } from './cursor.ts';
import { Event } from './event.ts';
import { ConversationView } from './view.ts';

/**
 * What a client that cannot be continued is told, in a page (409) and in a stream (frame `recover`) alike. Events up
 * to `stateCursor` fill the transcript only; they never change what can be acted on, which is `view`.
 */
export const Recovery = z.object({
  code: z.enum(['cursor_expired', 'cursor_ahead', 'epoch_changed', 'cursor_invalid', 'unknown_conversation']),
  /** The retained boundary. */
  resetCursor: Cursor,
  /** The head, at which `view` was taken. */
  stateCursor: Cursor,
  view: ConversationView.nullable(),
});
export type Recovery = z.infer<typeof Recovery>;

/** GET `…/events`: a page of the public log. Each event has its cursor beside it. */
export const EventPage = z.object({
  events: z.array(z.object({ cursor: Cursor, event: Event })),
  next: Cursor,
  head: Cursor,
  retained: Cursor,
});
export type EventPage = z.infer<typeof EventPage>;
