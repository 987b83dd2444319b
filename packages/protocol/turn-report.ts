import { z } from 'zod';
import { ArtifactRef, Finding } from './artifact.ts';
import { Cursor } from './cursor.ts';
import { ConversationId, Digest, Instant, TurnId } from './ids.ts';
import { JsonSchema } from './json.ts';
import { PermitCall } from './pause.ts';

/** What may be done at a card or an input: the name for `hearth decide --action`. */
export const ReportAction = z.object({
  name: z.string(),
  label: z.string(),
  needs: z.enum(['nothing', 'feedback']),
});
export type ReportAction = z.infer<typeof ReportAction>;

/** A version under review, as scripts see it. */
export const ReportCard = z.object({
  id: z.string(),
  artifact: z.string(),
  version: z.int(),
  digest: Digest,
  title: z.string(),
  text: z.string(),
  /** The text under review; `null` where it was not fetched. */
  body: z.string().nullable(),
  findings: z.array(Finding),
  from: z.array(ArtifactRef),
  earlier: z.array(z.int()),
  actions: z.array(ReportAction),
});
export type ReportCard = z.infer<typeof ReportCard>;

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
  /** What else may be done at an input, confirming first, then revising, then stopping. */
  actions: z.array(ReportAction).exactOptional(),
});
export type ReportQuestion = z.infer<typeof ReportQuestion>;

/** What `hearth send --json`, `hearth answer --json` and `hearth decide --json` print. */
export const TurnReport = z.object({
  conversation: ConversationId,
  turn: TurnId.nullable(),
  state: z.enum(['settled', 'waiting', 'failed']),
  reply: z.string(),
  quickReplies: z.array(z.string()),
  questions: z.array(ReportQuestion),
  cards: z.array(ReportCard),
  error: z.object({ code: z.string(), message: z.string() }).exactOptional(),
  cursor: Cursor,
});
export type TurnReport = z.infer<typeof TurnReport>;
