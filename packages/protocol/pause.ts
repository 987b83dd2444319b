import { z } from 'zod';
import { ArtifactRef, Finding } from './artifact.ts';
import { Digest, EffectId, Instant, MessageId, PauseId, RunId, TurnId } from './ids.ts';
import { Json, JsonSchema } from './json.ts';
import { Text } from './text.ts';

/** One clickable choice; a decision names its `id`, never its label. */
export const Option = z.object({ id: z.string(), label: z.string(), detail: z.string().exactOptional() });
export type Option = z.infer<typeof Option>;

/** One named action of a card or an input pause. `button: false` is reachable by typed text only. */
export const Action = z.object({
  name: z.string(),
  label: z.string(),
  needs: z.enum(['nothing', 'feedback']),
  confirms: z.boolean(),
  enabled: z.boolean(),
  why: z.string().exactOptional(),
  button: z.boolean(),
  /** It closes the case: it may be taken of any version and while the artifact is being redrafted. */
  stops: z.boolean().exactOptional(),
  /** The artifact that it makes pending again, by name. */
  reopens: z.string().exactOptional(),
});
export type Action = z.infer<typeof Action>;

/** A tool call that waits for permission; the grant binds to the digest of exactly these arguments. */
export const PermitCall = z.object({ id: z.string(), tool: z.string(), args: Json, digest: Digest });
export type PermitCall = z.infer<typeof PermitCall>;

/** Why a run cannot go on without a person. */
export const RecoveryCause = z.enum([
  'paused',
  'interrupted',
  'failed',
  'draft_failed',
  'uncertain',
  'budget',
  'loop_exhausted',
  'plan_changed',
  'session_lost',
  'guard',
  'damaged',
]);
export type RecoveryCause = z.infer<typeof RecoveryCause>;

const base = {
  id: PauseId,
  run: RunId,
  turn: TurnId.nullable(),
  node: z.string(),
  branch: z.string().nullable(),
  openedAt: Instant,
  /** Rendered when the pause opened; the same words in every surface. */
  text: Text,
};

/** Home base: at most one, and the only pause that a message may leave. Its words are the reply's `message` event. */
export const ChatPause = z.object({ ...base, kind: z.literal('chat'), quickReplies: z.array(z.string()) });
export type ChatPause = z.infer<typeof ChatPause>;

/**
 * What an agent or a human node asks. `fields` is the form of an answer by data; a question that is not `blocking`
 * keeps nothing waiting.
 */
export const QuestionPause = z.object({
  ...base,
  kind: z.literal('question'),
  asker: z.enum(['agent', 'node']),
  blocking: z.boolean(),
  options: z.array(Option),
  allowFreeText: z.boolean(),
  fields: JsonSchema.exactOptional(),
});
export type QuestionPause = z.infer<typeof QuestionPause>;

/** An artifact under review. The card keeps one pause id while its version moves. */
export const CardPause = z.object({
  ...base,
  kind: z.literal('card'),
  status: z.enum(['shown', 'drafting']),
  /** What a person reads above the body; the artifact's name where it is absent. */
  title: z.string().exactOptional(),
  shown: ArtifactRef,
  actions: z.array(Action),
  from: z.array(ArtifactRef),
  findings: z.array(Finding),
  earlier: z.array(z.int().positive()),
  keptFeedback: z.object({ action: z.string(), text: z.string() }).exactOptional(),
  assent: z.string().exactOptional(),
});
export type CardPause = z.infer<typeof CardPause>;

/** Data that an execution lacks. */
export const InputPause = z.object({
  ...base,
  kind: z.literal('input'),
  fields: JsonSchema,
  actions: z.array(Action),
});
export type InputPause = z.infer<typeof InputPause>;

/** A tool call that waits for leave. A grant holds for `call.digest`, that is for exactly these arguments. */
export const PermissionPause = z.object({
  ...base,
  kind: z.literal('permission'),
  call: PermitCall,
  /** What `always` keeps, unless the decision names another rule. */
  rule: z.string(),
});
export type PermissionPause = z.infer<typeof PermissionPause>;

/** A run that cannot go on without a person, why, and what may be chosen. Nothing of it is ever chosen by itself. */
export const RecoveryPause = z.object({
  ...base,
  kind: z.literal('recovery'),
  cause: RecoveryCause,
  code: z.string(),
  detail: z.string(),
  effect: EffectId.exactOptional(),
  choices: z.array(Option),
  /** From then on another attempt makes sense, as a provider says; whether and when there is one is up to the person. */
  retryAt: Instant.exactOptional(),
  /** What `it_happened` must say happened, as fields of the decision; absent where it needs nothing. */
  fields: JsonSchema.exactOptional(),
  /** Messages that the broken effect took and never showed to have seen; they join the next attempt. */
  unseen: z.array(MessageId),
});
export type RecoveryPause = z.infer<typeof RecoveryPause>;

/** A durable wait for a person. Several may be open; surfaces show them first come, first served. */
export const Pause = z.discriminatedUnion('kind', [
  ChatPause,
  QuestionPause,
  CardPause,
  InputPause,
  PermissionPause,
  RecoveryPause,
]);
export type Pause = z.infer<typeof Pause>;

/** Whether the pause owes the person's answer; the home-base chat pause owes nothing. */
export function owes(pause: Pause): boolean {
  return pause.kind !== 'chat';
}

/** Whether another version of its artifact is being made, so that it waits for nobody but whoever makes it. */
export function isDrafting(pause: Pause): boolean {
  return pause.kind === 'card' && pause.status === 'drafting';
}

/** Whether the run waits for it: queued messages are not delivered while it is open. An asynchronous question does not. */
export function blocks(pause: Pause): boolean {
  return owes(pause) && !(pause.kind === 'question' && !pause.blocking) && !isDrafting(pause);
}

/** What may be granted to a permission, in the order in which it is offered. */
export const GRANTS = [
  { id: 'once', label: 'Allow once' },
  { id: 'always', label: 'Always allow' },
  { id: 'deny', label: 'Deny' },
] as const;

/** What a person reads on an option, a choice, an action or a grant of this pause; `null` when it has no such one. */
export function labelOf(pause: Pause, name: string): string | null {
  switch (pause.kind) {
    case 'question':
      return labelled(pause.options, name);
    case 'recovery':
      return labelled(pause.choices, name);
    case 'permission':
      return labelled(GRANTS, name);
    case 'card':
    case 'input':
      return pause.actions.find(action => action.name === name)?.label ?? null;
    case 'chat':
      return null;
  }
}

function labelled(options: readonly Option[], id: string): string | null {
  return options.find(option => option.id === id)?.label ?? null;
}
