import { z } from 'zod';
import { Actor } from './actor.ts';
import { ArtifactRef, ArtifactStatus } from './artifact.ts';
import { Cursor } from './cursor.ts';
import { ConversationId, Digest, Instant, MessageId, RunId, TurnId } from './ids.ts';
import { Pause } from './pause.ts';
import { Scope } from './scope.ts';
import { Axis, Spend } from './spend.ts';

const Limit = z.object({ burst: z.number().exactOptional(), lifetime: z.number().exactOptional() });

/** How a message asks to be delivered while a turn runs. */
export const Delivery = z.enum(['steer', 'queue']);
export type Delivery = z.infer<typeof Delivery>;

/** `waiting`: a pause that owes an answer is open; `working`: an effect runs; else `idle`. */
export const ConversationState = z.enum(['idle', 'working', 'waiting']);
export type ConversationState = z.infer<typeof ConversationState>;

/** A ticket that the conversation's bot handed over, and how it stands as far as the conversation was told. */
export const WatchedTicket = z.object({
  ticket: z.string(),
  title: z.string(),
  state: z.string(),
  /** Whose board it is on. */
  workspace: z.string().exactOptional(),
});
export type WatchedTicket = z.infer<typeof WatchedTicket>;

/** What a person allowed or denied for good in a conversation: calls that fit the rule. */
export const KeptRule = z.object({
  rule: z.string(),
  grant: z.enum(['always', 'deny']),
  by: Actor,
  at: Instant,
});
export type KeptRule = z.infer<typeof KeptRule>;

/** All that a surface needs in order to act, ready made. */
export const ConversationView = z.object({
  id: ConversationId,
  title: z.string(),
  scope: Scope,
  bot: z.string(),
  /** The backend or the model that a person set for it; left out where none is. */
  model: z.string().exactOptional(),
  isDefault: z.boolean(),
  pinned: z.boolean(),
  /** Rises with every commit; a message may carry it as `expects`. */
  revision: z.int().nonnegative(),
  state: ConversationState,
  run: z.object({ id: RunId, plan: Digest, nodes: z.array(z.string()) }).nullable(),
  turn: z
    .object({
      id: TurnId,
      status: z.enum(['queued', 'running', 'waiting']),
      startedAt: Instant,
      activeMs: z.number(),
    })
    .nullable(),
  /** First come, first served; a surface keeps the one it shows until that one closes. */
  pauses: z.array(Pause),
  queue: z.array(z.object({ message: MessageId, head: z.string(), delivery: Delivery })),
  /** Messages that a running agent took and has not shown to have seen; left out when there is none. */
  delivered: z.array(z.object({ message: MessageId, head: z.string() })).exactOptional(),
  artifacts: z.array(z.object({ ref: ArtifactRef, status: ArtifactStatus })),
  budget: z.object({ burst: Spend, lifetime: Spend, limits: z.partialRecord(Axis, Limit) }),
  session: z.object({ backend: z.string(), degraded: z.boolean() }).nullable(),
  /** The latest last; left out when there is none. */
  watched: z.array(WatchedTicket).exactOptional(),
  /** What a person allowed or denied for good here, the latest last; left out when there is none. */
  rules: z.array(KeptRule).exactOptional(),
  retained: Cursor,
  head: Cursor,
  /** Why nothing can be saved now, as on a full disk; left out while all is well. Nothing runs until it is over. */
  trouble: z.object({ code: z.string(), detail: z.string() }).exactOptional(),
});
export type ConversationView = z.infer<typeof ConversationView>;

/** One row of the conversation list. */
export const ConversationRow = z.object({
  id: ConversationId,
  title: z.string(),
  isDefault: z.boolean(),
  pinned: z.boolean(),
  state: ConversationState,
  scope: Scope,
  bot: z.string(),
  updatedAt: Instant,
});
export type ConversationRow = z.infer<typeof ConversationRow>;
