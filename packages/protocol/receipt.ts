import { z } from 'zod';
import { Actor } from './actor.ts';
import { Cursor } from './cursor.ts';
import { CommandId, Digest, MessageId, PauseId, TurnId } from './ids.ts';
import { ConversationView } from './view.ts';

/** What an accepted command led to. */
export const Did = z.object({
  turn: TurnId.exactOptional(),
  message: MessageId.exactOptional(),
  pause: PauseId.exactOptional(),
  as: z
    .enum(['started', 'queued', 'steering', 'answered', 'revised', 'confirmed', 'stopped', 'cancelled'])
    .exactOptional(),
});
export type Did = z.infer<typeof Did>;

/** The stored judgement of an accepted command; it never carries a body or a state, and stays under 320 bytes. */
export const Receipt = z.object({
  commandId: CommandId,
  command: z.string(),
  payload: Digest,
  at: Cursor,
  did: Did,
});
export type Receipt = z.infer<typeof Receipt>;

/** Why a command was refused. The first group is the decision judge's, in the order in which it judges. */
export const RefusalCode = z.enum([
  'command_conflict',
  'unknown_pause',
  'closed',
  'wrong_state',
  'busy',
  'wrong_artifact',
  'stale_version',
  'digest_mismatch',
  'not_permitted',
  'feedback_required',
  'kind_required',
  'invalid_choice',
  // commands that are not decisions
  'revision_conflict',
  'turn_active',
  'unknown_message',
  'unknown_turn',
  'unknown_rule',
  'already_taken',
  'default',
  'active',
  'empty_message',
  'queue_full',
  'invalid_vars',
  'invalid_attachment',
  'missing_secret',
  'too_large',
  'not_supported',
]);
export type RefusalCode = z.infer<typeof RefusalCode>;

/** A refusal: nothing changed. */
export const Refusal = z.object({
  code: RefusalCode,
  message: z.string(),
  by: Actor.exactOptional(),
  action: z.string().exactOptional(),
  at: Cursor.exactOptional(),
});
export type Refusal = z.infer<typeof Refusal>;

/** The answer to a command; `view` is the state now, made at reply time. */
export const Reply = z.object({
  receipt: Receipt.nullable(),
  replayed: z.boolean(),
  refused: Refusal.exactOptional(),
  view: ConversationView,
});
export type Reply = z.infer<typeof Reply>;
