import { z } from 'zod';
import { Cursor } from './cursor.ts';
import { Event } from './event.ts';
import { ConversationId, TurnId } from './ids.ts';
import { Presence } from './presence.ts';
import { Recovery } from './recovery.ts';

/**
 * What a stream sends. Only `event` frames carry a cursor (as the SSE `id:`); the others are never stored and never
 * move a client's position.
 */
export const Frame = z.discriminatedUnion('frame', [
  z.object({ frame: z.literal('event'), cursor: Cursor, event: Event }),
  /**
   * Text that is still being written, all of it, or the end of a long one; the durable message or narration of the same
   * turn takes its place.
   */
  z.object({
    frame: z.literal('draft'),
    turn: TurnId,
    node: z.string(),
    sequence: z.int(),
    text: z.string(),
  }),
  z.object({
    frame: z.literal('presence'),
    surfaces: z.array(z.object({ surface: z.string(), name: z.string() })),
  }),
  z.object({ frame: z.literal('heartbeat'), at: z.string() }),
  z.object({ frame: z.literal('recover'), recovery: Recovery }),
  /**
   * The last frame of a stream that the service ends: this consumer is too slow and may come back at once, somebody
   * stopped the service, or what happens in the conversation could not be saved, of which `problem` says why.
   */
  z.object({
    frame: z.literal('cut'),
    code: z.enum(['consumer_too_slow', 'stopping', 'not_saved']),
    resumeFrom: Cursor,
    problem: z.object({ code: z.string(), detail: z.string() }).exactOptional(),
  }),
]);
export type Frame = z.infer<typeof Frame>;

/** What the home's own stream sends: a row changed, appeared or left. */
export const HomeFrame = z.discriminatedUnion('frame', [
  z.object({ frame: z.literal('changed'), conversation: ConversationId }),
  z.object({ frame: z.literal('removed'), conversation: ConversationId }),
  /** How a conversation is from now on; sent when that changes. */
  z.object({ frame: z.literal('presence'), conversation: ConversationId, presence: Presence }),
  z.object({ frame: z.literal('heartbeat'), at: z.string() }),
  z.object({ frame: z.literal('cut'), code: z.enum(['consumer_too_slow', 'stopping']) }),
]);
export type HomeFrame = z.infer<typeof HomeFrame>;
