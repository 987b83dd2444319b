import { z } from 'zod';
import { Actor } from './actor.ts';
import { ArtifactRef } from './artifact.ts';
import { Instant, MessageId, PauseId, RunId, TurnId } from './ids.ts';
import { BlobRef, Text } from './text.ts';

const base = { at: Instant, seq: z.int().nonnegative(), turn: TurnId.nullable() };

/**
 * One line of the transcript: what was said and decided, never trimmed. `seq` is the sequence number of the last
 * event of the commit that carried it, so that the file can be refilled after a crash without doubling a line.
 */
export const TranscriptLine = z.discriminatedUnion('is', [
  z.object({
    ...base,
    is: z.literal('said'),
    message: MessageId,
    by: Actor,
    text: Text,
    workspace: z.string().exactOptional(),
    attachments: z.array(BlobRef).exactOptional(),
  }),
  z.object({ ...base, is: z.literal('replied'), message: MessageId, by: Actor, text: Text }),
  z.object({ ...base, is: z.literal('asked'), pause: PauseId, kind: z.string(), text: Text }),
  z.object({
    ...base,
    is: z.literal('decided'),
    pause: PauseId,
    by: Actor,
    how: z.string(),
    /** The option, the choice or the action. */
    option: z.string().exactOptional(),
    /** The version of the artifact that it was decided on, at a card. */
    shown: ArtifactRef.exactOptional(),
    /** What a person read on what was chosen, when that is something else than `option`. */
    label: z.string().exactOptional(),
    text: Text.exactOptional(),
  }),
  z.object({
    ...base,
    is: z.literal('mark'),
    /** `lost`: lines that were here could not be had back. */
    mark: z.enum(['run', 'reset', 'restored', 'imported', 'lost']),
    run: RunId.exactOptional(),
    text: z.string(),
  }),
]);
export type TranscriptLine = z.infer<typeof TranscriptLine>;

/**
 * Why nothing is older. `beginning`: that is all that was ever said. `dropped`: so many resets ago that those epochs are
 * kept no longer.
 */
export const HistoryEnd = z.enum(['beginning', 'dropped']);
export type HistoryEnd = z.infer<typeof HistoryEnd>;

/**
 * GET `…/history`: turns, backwards, through all epochs. A page is of one epoch, whose first line is the mark of the reset
 * that began it; without `before` it is of the current one. `previous` is what to pass as `before` for the page before this
 * one, `null` at the `end`.
 */
export const HistoryPage = z.object({
  epoch: z.int().positive(),
  items: z.array(TranscriptLine),
  previous: z.int().nonnegative().nullable(),
  hasOlder: z.boolean(),
  /** `null` while something is older. */
  end: HistoryEnd.nullable(),
});
export type HistoryPage = z.infer<typeof HistoryPage>;
