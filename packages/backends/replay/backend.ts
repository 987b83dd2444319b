import {
  ALL_CAPABILITIES,
  type Backend,
  type BackendEvent,
  type BackendFailure,
  type BackendRun,
  type BackendTurn,
  type Host,
  type InboxMessage,
} from '@hearth/engine/backend.ts';
import type { MessageId } from '@hearth/protocol/ids.ts';
import type { ToolCall } from '@hearth/engine/tool.ts';
import type { BackendStep, RecordedOutcome, RecordedPermit } from './recording.ts';
import type { Part, Score } from './score.ts';

/*
 * A backend that gives what was recorded: no model, no network. It keeps the promises of the port; what it gives is
 * released step by step by whoever plays the recording.
 */

const FINGERPRINT = 'replay';

/**
 * The backend `replay`. It gives what its score holds, and calls Hearth's tools with what they were called for then.
 */
export class Replay implements Backend {
  readonly name = 'replay';
  readonly capabilities = ALL_CAPABILITIES;
  readonly #score: Score;
  /** The ids of messages as they are counted in the recording. */
  readonly #messages: () => readonly MessageId[];
  #sessions = 0;

  constructor(score: Score, messages: () => readonly MessageId[]) {
    this.#score = score;
    this.#messages = messages;
  }

  detect(): Promise<{ usable: boolean; why: string }> {
    return Promise.resolve({ usable: true, why: 'plays a recording' });
  }

  fingerprint(): Promise<string> {
    return Promise.resolve(FINGERPRINT);
  }

  start(turn: BackendTurn, host: Host, signal: AbortSignal): BackendRun {
    const part = this.#score.begin(turn.node);
    const open = (): string => `replay-${(this.#sessions += 1)}`;
    return new ReplayRun({ turn, host, signal, part, open, messages: this.#messages });
  }
}

interface ReplayTurn {
  readonly turn: BackendTurn;
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly part: Part;
  readonly open: () => string;
  readonly messages: () => readonly MessageId[];
}

class ReplayRun implements BackendRun {
  readonly #given: ReplayTurn;
  readonly #stop = Promise.withResolvers<void>();
  readonly #offered = new Map<MessageId, PromiseWithResolvers<void>>();
  /** Calls of Hearth's tools that have no outcome yet, oldest first. */
  #calls = 0;

  constructor(given: ReplayTurn) {
    this.#given = given;
    given.signal.addEventListener('abort', () => this.#stop.resolve(), { once: true });
  }

  offer({ id }: InboxMessage): void {
    this.#offer(id).resolve();
  }

  /** What was recorded says how an interrupted turn ends; the player releases it. */
  interrupt(): Promise<void> {
    return Promise.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BackendEvent> {
    for (;;) {
      const step = await this.#given.part.next(this.#stop.promise);
      if (step === null) return yield { type: 'stopped' };
      if (step.is === 'outcome') {
        yield { type: 'usage', spend: step.spend, cumulative: true };
        return yield endingOf(step.outcome);
      }
      const event = await this.#event(step);
      if (event !== null) yield event;
    }
  }

  async #event(step: Exclude<BackendStep, { is: 'outcome' }>): Promise<BackendEvent | null> {
    switch (step.is) {
      case 'session':
        return this.#session(step.how, step.degraded);
      case 'narration':
        return { type: 'narration', text: step.text };
      case 'called':
        await this.#call(step);
        return null;
      case 'tool':
        return this.#tool(step);
      case 'taken':
      case 'seen':
        return { type: step.is, messages: await this.#taken(step.messages) };
    }
  }

  /** The session that the engine asks for; one that was lost when it was recorded is lost again. */
  #session(how: string, degraded: string | undefined): BackendEvent {
    const { session } = this.#given.turn;
    const fingerprint = FINGERPRINT;
    if (session.mode === 'fresh' || how === 'reseeded') {
      const made = session.mode === 'fresh' ? 'opened' : 'reseeded';
      return {
        type: 'session',
        id: this.#given.open(),
        fingerprint,
        how: made,
        ...(degraded === undefined ? {} : { degraded }),
      };
    }
    if (session.mode === 'fork')
      return { type: 'session', id: this.#given.open(), fingerprint, how: 'forked' };
    return { type: 'session', id: session.id, fingerprint, how: 'resumed' };
  }

  /** Calls one of Hearth's tools: what it answers comes from the recording too. */
  async #call({ name, title, came, detail = '' }: Extract<BackendStep, { is: 'called' }>): Promise<void> {
    this.#calls += 1;
    const args = { title, came, detail };
    const called = this.#given.host.call({ id: `call-${this.#calls}`, name, args });
    await Promise.race([called, this.#stop.promise]);
  }

  #tool({ name, change, title }: Extract<BackendStep, { is: 'tool' }>): BackendEvent {
    return {
      type: 'tool',
      call: name,
      name,
      change,
      ...(title === undefined ? {} : { title }),
      mutates: null,
    };
  }

  async #taken(ordinals: readonly number[]): Promise<MessageId[]> {
    const ids = ordinals.flatMap(at => this.#given.messages()[at - 1] ?? []);
    // What the engine never offers cannot be taken; the player ends such a play.
    for (const id of ids) await Promise.race([this.#offer(id).promise, this.#stop.promise]);
    return ids;
  }

  #offer(id: MessageId): PromiseWithResolvers<void> {
    const known = this.#offered.get(id) ?? Promise.withResolvers<void>();
    this.#offered.set(id, known);
    return known;
  }
}

function endingOf(outcome: RecordedOutcome): BackendEvent {
  switch (outcome.is) {
    case 'done': {
      const { reply } = outcome.output;
      return { type: 'done', output: outcome.output, text: typeof reply === 'string' ? reply : '' };
    }
    case 'parked':
      return { type: 'parked', asks: outcome.asks, permits: (outcome.permits ?? []).map(calledAs) };
    case 'stopped':
      return { type: 'stopped' };
    case 'failed': {
      const { message, began, retryAfterMs } = outcome;
      return {
        type: 'failed',
        code: failureOf(outcome.code),
        message,
        began,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      };
    }
  }
}

function calledAs({ id, tool, args }: RecordedPermit): ToolCall {
  return { id, name: tool, args };
}

const FAILURES: readonly BackendFailure[] = [
  'auth',
  'quota',
  'overloaded',
  'network',
  'context_length',
  'schema',
  'session_lost',
  'missing',
  'cold',
  'quiet',
  'crashed',
  'protocol',
];

/** A code that is no backend's own was given by the engine: what led to it is lost, and it is played as a crash. */
function failureOf(code: string): BackendFailure {
  return FAILURES.find(one => one === code) ?? 'crashed';
}
