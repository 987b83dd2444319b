import { z } from 'zod';
import { ConversationId, Instant } from './ids.ts';

/*
 * What a pass of retention does and why. GET `/retention` predicts it, POST `/retention` does it; both answer with the
 * same report, so that a prediction can be held against what came of it.
 */

/** Bounds on what is kept. Each is judged separately for what a person made and for what was dispatched. */
export const RetentionLimits = z.object({
  /** How many conversations. */
  conversations: z.int().nonnegative(),
  /** Days since the last event. */
  days: z.number().nonnegative(),
  /** Bytes of all that may be removed. */
  bytes: z.int().nonnegative(),
});
export type RetentionLimits = z.infer<typeof RetentionLimits>;

/** Why a conversation stays whatever the limits say. */
export const KeepReason = z.enum(['default', 'active', 'owing', 'pinned', 'in_hand']);
export type KeepReason = z.infer<typeof KeepReason>;

/** Why one is removed. `too_large`: it alone is above the bound on bytes. */
export const RemoveReason = z.enum(['age', 'too_large', 'count', 'bytes']);
export type RemoveReason = z.infer<typeof RemoveReason>;

/** What becomes of one conversation. `within`: no limit is passed. `why` is one sentence. */
export const RetentionChoice = z.object({
  conversation: ConversationId,
  title: z.string(),
  origin: z.enum(['person', 'dispatch']),
  updatedAt: Instant,
  bytes: z.int().nonnegative(),
  remove: z.boolean(),
  reason: z.enum([...KeepReason.options, ...RemoveReason.options, 'within']),
  why: z.string(),
});
export type RetentionChoice = z.infer<typeof RetentionChoice>;

/** What becomes of one conversation in the trash; what is removed there is gone. */
export const TrashChoice = z.object({
  /** Its name in the trash. */
  name: z.string(),
  conversation: ConversationId,
  title: z.string(),
  bytes: z.int().nonnegative(),
  remove: z.boolean(),
  reason: z.enum(['newest', 'age', 'bytes', 'within']),
  why: z.string(),
});
export type TrashChoice = z.infer<typeof TrashChoice>;

/** What a pass of retention did or, with `dryRun`, would do: every conversation, what becomes of it, and why. */
export const RetentionReport = z.object({
  at: Instant,
  /** Nothing was done. */
  dryRun: z.boolean(),
  limits: RetentionLimits,
  trashLimits: z.object({ days: z.number().nonnegative(), bytes: z.int().nonnegative() }),
  /** Why nothing was removed for its age in this pass; `null` when ages were judged. */
  ageSkipped: z.string().nullable(),
  /** Those that are removed first, in the order of their removal; then the others, the latest first. */
  choices: z.array(RetentionChoice),
  trash: z.array(TrashChoice),
  /** Bytes on the disk now. `unreadable`: directories that could not be read and are still in their place. */
  bytes: z.object({
    conversations: z.int(),
    trash: z.int(),
    quarantine: z.int(),
    unreadable: z.int(),
  }),
  /** Limits that are passed by conversations which stay, a sentence each. */
  overage: z.array(z.string()),
  /** What was to be removed and could not be, a sentence each. */
  failed: z.array(z.string()),
  /** Those that `failed` is about: conversations by their ids, what lies in the trash by its name there. */
  kept: z.array(z.string()),
});
export type RetentionReport = z.infer<typeof RetentionReport>;
