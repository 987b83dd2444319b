import { Json, JsonObject } from '@hearth/protocol/json.ts';
import { z } from 'zod';

/*
 * The lines of a transcript: what the model was told and what it answered, in a tree that only grows. They are
 * Hearth's own and name no provider's format, so that a session outlives an upgrade and a change of provider; what only
 * one provider understands (a signature, an item's id) is kept beside the part and sent to that provider alone.
 */

const only = z.record(z.string(), JsonObject);

const Part = z.discriminatedUnion('is', [
  z.object({ is: z.literal('text'), text: z.string(), only: only.exactOptional() }),
  z.object({ is: z.literal('reasoning'), text: z.string(), only: only.exactOptional() }),
  z.object({
    is: z.literal('call'),
    call: z.string(),
    name: z.string(),
    args: JsonObject,
    /** The arguments were no JSON object; a request must not repeat them. */
    malformed: z.literal(true).exactOptional(),
    only: only.exactOptional(),
  }),
]);
export type Part = z.infer<typeof Part>;
/** A call of a tool, as the model made it. */
export type Call = Extract<Part, { is: 'call' }>;

/** A picture that came with words; its bytes are in the file at `path`. */
const Picture = z.object({ path: z.string(), name: z.string() });
export type Picture = z.infer<typeof Picture>;

/** How a turn ended; a turn without an end was broken off. */
const Ending = z.enum(['done', 'parked']);
export type Ending = z.infer<typeof Ending>;

/** One line of a transcript. */
export const Line = z.discriminatedUnion('line', [
  /** A session begins here; what is above it, it shares with the one that it was forked from. */
  z.object({ line: z.literal('session'), session: z.string() }),
  /** A turn begins; `of` names the effect that it goes on with. */
  z.object({ line: z.literal('turn'), effect: z.string(), of: z.string().exactOptional() }),
  /** Words of the person, or of the host, which begin with `[hearth]`. `message`: they joined while the turn ran. */
  z.object({
    line: z.literal('words'),
    text: z.string(),
    message: z.string().exactOptional(),
    pictures: z.array(Picture).exactOptional(),
  }),
  /** A bot's reply of which only the words are known, out of a recap. */
  z.object({ line: z.literal('reply'), text: z.string() }),
  /** One step of the model. `by` is the fingerprint of whoever made it; `tokens` is how long the session then was. */
  z.object({
    line: z.literal('step'),
    by: z.string(),
    model: z.string(),
    parts: z.array(Part),
    tokens: z.int().nonnegative().exactOptional(),
  }),
  /** What came of a call. */
  z.object({
    line: z.literal('result'),
    call: z.string(),
    name: z.string(),
    content: Json,
    failed: z.boolean(),
  }),
  /** From here on the summary stands for what is above the entry `from`; the counts are of messages. */
  z.object({
    line: z.literal('compacted'),
    summary: z.string(),
    from: z.int().nonnegative(),
    kept: z.int().nonnegative(),
    dropped: z.int().nonnegative(),
  }),
  z.object({ line: z.literal('end'), effect: z.string(), how: Ending }),
]);
export type Line = z.infer<typeof Line>;

/** Where a line stands: its number in the file, and the entry that it follows; `null` at the root. */
export const Place = z.object({
  id: z.int().nonnegative(),
  parent: z.int().nonnegative().nullable(),
});

/** A line at its place. */
export type Entry = Line & z.infer<typeof Place>;

/** The calls that have no result yet, in order. */
export function openCalls(lines: readonly Line[]): readonly Call[] {
  const answered = new Set(lines.flatMap(line => (line.line === 'result' ? [line.call] : [])));
  return lines
    .flatMap(line => (line.line === 'step' ? line.parts : []))
    .filter(part => part.is === 'call')
    .filter(part => !answered.has(part.call));
}

/** Whether a part is a call. */
export function isCall(part: Part): part is Call {
  return part.is === 'call';
}
