/**
 * What each turn took, as one row of counters. A row holds names and counts, and no arguments and no words, so it may
 * outlive the conversation. Guarantees: one row for each turn that ended on its own account, none for a message that joined
 * another's; what was not seen is `null` and never zero; an event that is told again counts once.
 */
import type { Event } from '@hearth/protocol/event.ts';
import { ConversationId, Instant, type MessageId, TurnId } from '@hearth/protocol/ids.ts';
import { Spend } from '@hearth/protocol/spend.ts';
import { z } from 'zod';

/** A line of `turn-settled.jsonl`. */
export const TurnSettled = z.object({
  v: z.literal(1),
  conversation: ConversationId,
  turn: TurnId,
  /** When its message was accepted; `null` when that was before the service started. */
  acceptedAt: Instant.nullable(),
  endedAt: Instant,
  outcome: z.enum(['completed', 'failed', 'cancelled']),
  code: z.string().nullable(),
  /** Calls that were carried out, by the tool's name; `null` when not all of the turn was seen. */
  tools: z.record(z.string(), z.int()).nullable(),
  /** How many of them could change something; `null` when that is not known of all. */
  mutating: z.int().nullable(),
  spend: Spend.nullable(),
  /** Tokens in the model's context, at the turn's first and last report. */
  context: z.object({ start: z.number().nullable(), end: z.number().nullable() }),
  backend: z.string().nullable(),
});
export type TurnSettled = z.infer<typeof TurnSettled>;

/** A name that a tool can have; what a model calls a tool that does not exist may be anything. */
const NAME = /^[\w.:/-]{1,64}$/;
const OTHER = 'other';
/** Turns that may wait or run in one conversation. */
const TURNS = 256;

interface Running {
  acceptedAt: string | null;
  tools: Map<string, number> | null;
  mutating: number | null;
  context: { start: number | null; end: number | null };
  backend: string | null;
}

/** Counts over the events of all conversations, in their order. */
export class TurnMetrics {
  readonly #mutates: (tool: string) => boolean | null;
  readonly #running = new Map<ConversationId, Map<TurnId, Running>>();
  /** The latest message of each conversation: one that starts a turn at once does so in the same commit. */
  readonly #latest = new Map<ConversationId, { readonly message: MessageId; readonly at: string }>();
  /** The number of the last event that was taken of each conversation. */
  readonly #taken = new Map<ConversationId, number>();

  /** `mutates` says whether a tool of that name can change something; `null` when that is not known. */
  constructor(mutates: (tool: string) => boolean | null) {
    this.#mutates = mutates;
  }

  /** Takes an event; the row of the turn that it ended, if it ended one. */
  take(conversation: ConversationId, event: Event): TurnSettled | null {
    const { turn, seq } = event;
    if (seq <= (this.#taken.get(conversation) ?? 0)) return null;
    this.#taken.set(conversation, seq);
    if (event.type === 'message') this.#latest.set(conversation, { message: event.message, at: event.at });
    if (turn === undefined) return null;
    if (event.type === 'turn') return this.#turn(conversation, turn, event);
    const running = this.#running.get(conversation)?.get(turn);
    if (running !== undefined) this.#count(running, event);
    return null;
  }

  /** A conversation was removed, or its lane closed. */
  forget(conversation: ConversationId): void {
    this.#running.delete(conversation);
    this.#latest.delete(conversation);
    this.#taken.delete(conversation);
  }

  #turn(
    conversation: ConversationId,
    turn: TurnId,
    event: Extract<Event, { type: 'turn' }>,
  ): TurnSettled | null {
    const { change, message } = event;
    const turns = this.#running.get(conversation) ?? new Map<TurnId, Running>();
    const latest = this.#latest.get(conversation);
    const acceptedAt = latest?.message === message ? latest.at : null;
    const begins = change === 'queued' || (change === 'started' && !turns.has(turn));
    if (begins && turns.size < TURNS) turns.set(turn, begun(acceptedAt));
    if (change === 'completed' || change === 'failed' || change === 'cancelled' || change === 'absorbed') {
      const running = turns.get(turn) ?? null;
      turns.delete(turn);
      this.#keep(conversation, turns);
      return change === 'absorbed' ? null : rowOf(conversation, turn, event, change, running);
    }
    this.#keep(conversation, turns);
    return null;
  }

  #keep(conversation: ConversationId, turns: Map<TurnId, Running>): void {
    if (turns.size === 0) this.#running.delete(conversation);
    else this.#running.set(conversation, turns);
  }

  #count(running: Running, event: Event): void {
    if (event.type === 'session') running.backend = event.backend;
    if (event.type === 'context') {
      running.context.start ??= event.used;
      running.context.end = event.used;
    }
    if (event.type !== 'tool' || (event.change !== 'completed' && event.change !== 'failed')) return;
    const name = NAME.test(event.name) ? event.name : OTHER;
    running.tools?.set(name, (running.tools.get(name) ?? 0) + 1);
    const mutates = this.#mutates(event.name);
    if (running.mutating !== null)
      running.mutating = mutates === null ? null : running.mutating + Number(mutates);
  }
}

function begun(acceptedAt: string | null): Running {
  return { acceptedAt, tools: new Map(), mutating: 0, context: { start: null, end: null }, backend: null };
}

function rowOf(
  conversation: ConversationId,
  turn: TurnId,
  event: Extract<Event, { type: 'turn' }>,
  outcome: TurnSettled['outcome'],
  running: Running | null,
): TurnSettled {
  return {
    v: 1,
    conversation,
    turn,
    acceptedAt: running?.acceptedAt ?? null,
    endedAt: event.at,
    outcome,
    code: event.code ?? null,
    tools: running?.tools ? Object.fromEntries(running.tools) : null,
    mutating: running?.mutating ?? null,
    spend: event.spend ?? null,
    context: running?.context ?? { start: null, end: null },
    backend: running?.backend ?? null,
  };
}
