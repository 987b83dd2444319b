import { z } from 'zod';
import { Cursor } from './cursor.ts';
import { ConversationId, Instant, TurnId } from './ids.ts';
import { JsonSchema } from './json.ts';
import { PermitCall } from './pause.ts';

/** An open question, recovery, input or permission, as scripts see it. */
export const ReportQuestion = z.object({
  id: z.string(),
  kind: z.enum(['question', 'recovery', 'input', 'permission']),
  text: z.string(),
  options: z.array(z.object({ id: z.string(), label: z.string() })),
  allowFreeText: z.boolean(),
  /** The data that an input asks for, or a recovery's `it_happened`, as a JSON Schema. */
  fields: JsonSchema.exactOptional(),
  /** The exact call that a permission is asked for, and the rule that `always` keeps. */
  call: PermitCall.exactOptional(),
  rule: z.string().exactOptional(),
  /** From then on another attempt makes sense, as a provider says of what a recovery is about. */
  retryAt: Instant.exactOptional(),
});
export type ReportQuestion = z.infer<typeof ReportQuestion>;

/** What `hearth send --json` and `hearth answer --json` print. */
export const TurnReport = z.object({
  conversation: ConversationId,
  turn: TurnId.nullable(),
  state: z.enum(['settled', 'waiting', 'failed']),
  reply: z.string(),
  quickReplies: z.array(z.string()),
  questions: z.array(ReportQuestion),
  cards: z.array(z.object({ id: z.string(), artifact: z.string(), version: z.int(), text: z.string() })),
  error: z.object({ code: z.string(), message: z.string() }).exactOptional(),
  cursor: Cursor,
});
export type TurnReport = z.infer<typeof TurnReport>;
