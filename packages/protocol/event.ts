import { z } from 'zod';
import { Actor } from './actor.ts';
import { ArtifactRef } from './artifact.ts';
import { CommandId, Digest, Instant, MessageId, PauseId, RunId, TurnId } from './ids.ts';
import { Pause } from './pause.ts';
import { Scope } from './scope.ts';
import { Axis, LedgerName, Spend } from './spend.ts';
import { BlobRef, Text } from './text.ts';
import { Delivery } from './view.ts';

/** Where a token goes on, and by which loop. */
const Way = z.object({ to: z.string(), loop: z.string().exactOptional() });

/** What every event carries. `seq` never restarts, not at a trim, a restart or a reset. */
const envelope = {
  v: z.literal(1),
  seq: z.int().positive(),
  at: Instant,
  run: RunId.exactOptional(),
  turn: TurnId.exactOptional(),
  branch: z.string().exactOptional(),
};

const about = {
  run: RunId.exactOptional(),
  turn: TurnId.exactOptional(),
  branch: z.string().exactOptional(),
};

/** The variants, without their envelope. No variant carries free-form data: a provider's payload has no place to sit. */
const variants = {
  conversation: z.object({
    type: z.literal('conversation'),
    change: z.enum(['created', 'renamed', 'pinned', 'unpinned', 'bot', 'reset', 'restored', 'imported']),
    title: z.string(),
    bot: z.string(),
    scope: Scope,
  }),
  message: z.object({
    type: z.literal('message'),
    message: MessageId,
    by: Actor,
    text: Text,
    commandId: CommandId.exactOptional(),
    delivery: Delivery.exactOptional(),
    workspace: z.string().exactOptional(),
    attachments: z.array(BlobRef),
  }),
  messageMoved: z.object({
    type: z.literal('message.moved'),
    message: MessageId,
    to: z.enum(['queued', 'delivered', 'consumed', 'absorbed', 'cancelled', 'uncertain']),
    into: TurnId.exactOptional(),
  }),
  narration: z.object({ type: z.literal('narration'), node: z.string(), text: Text }),
  run: z.object({
    type: z.literal('run'),
    run: RunId,
    change: z.enum(['started', 'ended', 'replanned']),
    plan: Digest,
    reason: z.enum(['done', 'failed', 'reset', 'closed']).exactOptional(),
    code: z.string().exactOptional(),
  }),
  turn: z.object({
    type: z.literal('turn'),
    turn: TurnId,
    change: z.enum([
      'queued',
      'started',
      'waiting',
      'resumed',
      'completed',
      'failed',
      'cancelled',
      'absorbed',
    ]),
    message: MessageId,
    into: TurnId.exactOptional(),
    code: z.string().exactOptional(),
    summary: z.string().exactOptional(),
    spend: Spend.exactOptional(),
  }),
  node: z.object({
    type: z.literal('node'),
    node: z.string(),
    iteration: z.int().nonnegative(),
    change: z.enum(['started', 'ended', 'failed', 'skipped']),
    edge: Way.exactOptional(),
    /** Where it went on at once, from a router that forks: a way for each branch. */
    edges: z.array(Way).exactOptional(),
  }),
  tool: z.object({
    type: z.literal('tool'),
    call: z.string(),
    name: z.string(),
    change: z.enum(['started', 'completed', 'failed', 'denied']),
    title: z.string().exactOptional(),
    detail: Text.exactOptional(),
    ms: z.number().nonnegative().exactOptional(),
  }),
  pauseOpened: z.object({ type: z.literal('pause.opened'), pause: Pause }),
  pauseChanged: z.object({
    type: z.literal('pause.changed'),
    pause: Pause,
    why: z.enum(['drafting', 'new_version', 'draft_failed', 'findings']),
  }),
  pauseClosed: z.object({
    type: z.literal('pause.closed'),
    pause: PauseId,
    how: z.enum(['answered', 'acted', 'cancelled', 'superseded']),
    by: Actor,
    action: z.string().exactOptional(),
    option: z.string().exactOptional(),
    text: Text.exactOptional(),
  }),
  artifact: z.object({
    type: z.literal('artifact'),
    ref: ArtifactRef,
    change: z.enum(['published', 'confirmed', 'superseded', 'invalidated', 'withdrawn', 'closed']),
    from: z.array(ArtifactRef),
    why: z.string().exactOptional(),
  }),
  budget: z.object({
    type: z.literal('budget'),
    ledger: LedgerName,
    axis: Axis,
    change: z.enum(['warned', 'blocked', 'stopped', 'raised']),
    used: z.number(),
    limit: z.number(),
    unpriced: z.int().nonnegative(),
  }),
  session: z.object({
    type: z.literal('session'),
    node: z.string(),
    backend: z.string(),
    change: z.enum(['opened', 'resumed', 'forked', 'reseeded', 'degraded', 'compacted']),
    reason: z.string().exactOptional(),
  }),
  /** What a person allowed (`always`) or denied for good, or took back. */
  rule: z.object({
    type: z.literal('rule'),
    change: z.enum(['kept', 'revoked']),
    rule: z.string(),
    grant: z.enum(['always', 'deny']),
    by: Actor,
  }),
  context: z.object({
    type: z.literal('context'),
    node: z.string(),
    used: z.number().nullable(),
    window: z.number().nullable(),
  }),
  ticket: z.object({
    type: z.literal('ticket'),
    ticket: z.string(),
    title: z.string(),
    state: z.string(),
    /** What was done with it; `watched`: from now on its moves are told here. */
    change: z.string(),
    /** The state that it was moved from. */
    from: z.string().exactOptional(),
    /** Whether it was told because the conversation watches it. */
    watched: z.boolean(),
    /** Whose board it is on. */
    workspace: z.string().exactOptional(),
  }),
  notice: z.object({
    type: z.literal('notice'),
    code: z.string(),
    severity: z.enum(['info', 'warning', 'error']),
    text: z.string(),
  }),
} as const;

const v = variants;

/** An event before the lane has given it a place in the log. `run`, `turn` and `branch` say what it belongs to. */
export const EventBody = z.discriminatedUnion('type', [
  v.conversation.extend(about),
  v.message.extend(about),
  v.messageMoved.extend(about),
  v.narration.extend(about),
  v.run.extend(about),
  v.turn.extend(about),
  v.node.extend(about),
  v.tool.extend(about),
  v.pauseOpened.extend(about),
  v.pauseChanged.extend(about),
  v.pauseClosed.extend(about),
  v.artifact.extend(about),
  v.budget.extend(about),
  v.session.extend(about),
  v.rule.extend(about),
  v.context.extend(about),
  v.ticket.extend(about),
  v.notice.extend(about),
]);
export type EventBody = z.infer<typeof EventBody>;

/** One line of a conversation's public log. */
export const Event = z.discriminatedUnion('type', [
  v.conversation.extend(envelope),
  v.message.extend(envelope),
  v.messageMoved.extend(envelope),
  v.narration.extend(envelope),
  v.run.extend({ ...envelope, run: RunId }),
  v.turn.extend({ ...envelope, turn: TurnId }),
  v.node.extend(envelope),
  v.tool.extend(envelope),
  v.pauseOpened.extend(envelope),
  v.pauseChanged.extend(envelope),
  v.pauseClosed.extend(envelope),
  v.artifact.extend(envelope),
  v.budget.extend(envelope),
  v.session.extend(envelope),
  v.rule.extend(envelope),
  v.context.extend(envelope),
  v.ticket.extend(envelope),
  v.notice.extend(envelope),
]);
export type Event = z.infer<typeof Event>;

/** What a reader makes of an event whose type it does not know: the envelope stays, the rest is `unsupported`. */
export interface UnsupportedEvent {
  v: 1;
  seq: number;
  at: string;
  type: 'unsupported';
  name: string;
}

const Envelope = z.looseObject({ ...envelope, type: z.string() });

/** Reads one event that came from outside; an unknown or newer one becomes `unsupported`, rubbish becomes `null`. */
export function readEvent(value: unknown): Event | UnsupportedEvent | null {
  const known = Event.safeParse(value);
  if (known.success) return known.data;
  const bare = Envelope.safeParse(value);
  if (!bare.success) return null;
  return { v: 1, seq: bare.data.seq, at: bare.data.at, type: 'unsupported', name: bare.data.type };
}
