import type { Cursor } from '@hearth/protocol/cursor.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { createParser } from 'eventsource-parser';
import { backoff } from './backoff.ts';
import type { StreamFrame } from './frame.ts';
import { asProblem, gone, stopped } from './problem.ts';
import type { Timers } from './timers.ts';
import { rest } from './timers.ts';

/*
 * Following a conversation. Every event after `after` is handed over at least once and in order, over any number of
 * connections: each one resumes after the last event that was handed over. What a service sends twice arrives twice;
 * the view model drops it by its sequence number. A connection that says nothing for longer than two heartbeats is
 * given up as dead.
 */

/** Milliseconds of silence after which a connection is dead; the service's heartbeat comes every 15 s. */
export const SILENCE = 40_000;
/** Milliseconds between two looks for a service that was stopped. */
const LOOK = 1000;

/** What became of the connection, for a surface to say plainly. */
export type Link =
  | { readonly is: 'connecting' }
  | { readonly is: 'connected' }
  /** `why` is one sentence for a person; `final` says that no further attempt is made. */
  | { readonly is: 'lost'; readonly why: string; readonly final?: true }
  /** Somebody stopped the service; it is attached to again when somebody has started it. */
  | { readonly is: 'stopped'; readonly why: string }
  | { readonly is: 'reconnecting'; readonly attempt: number; readonly inMs: number };

/** Whatever streams come from. */
export interface StreamSource {
  /** Opens a stream after a cursor (`null` = from the boundary); rejects with a `HearthProblem`. */
  openStream(
    conversation: ConversationId,
    after: Cursor | null,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>>;
  /** Reads the data of one of its messages; `null` when it is no frame at all. */
  readFrame(data: string): StreamFrame | null;
}

/** From where a conversation is followed, and who hears of it. It goes on until `signal` aborts. */
export interface FollowOptions {
  /** The last event already known; `null` = from the boundary. */
  readonly after: Cursor | null;
  readonly onFrame: (frame: StreamFrame) => void;
  readonly onState?: (link: Link) => void;
  readonly signal: AbortSignal;
  readonly clock: Timers;
  /**
   * Finds the service when it does not answer. When it rejects with `stopped`, it is asked again until it has found one;
   * when it rejects with anything else, the old client is tried again.
   */
  readonly renew?: () => Promise<StreamSource>;
}

/** Answers that no further attempt would change. */
const FINAL = new Set([400, 401, 403, 404, 410]);

/** Why the service itself ended a connection. */
type CutFrame = Extract<StreamFrame, { frame: 'cut' }>;

interface Ended {
  readonly why: string;
  /** The service asked for it, and why; `null` when it broke. */
  readonly cut: CutFrame['code'] | null;
  readonly heard: boolean;
  /** It could not be continued from where it stood, or was cut: whoever comes back at once may find the same again. */
  readonly restless: boolean;
  readonly unreachable: boolean;
}

class Follower {
  #client: StreamSource;
  #after: Cursor | null;
  /** Somebody stopped the service, and nobody has answered since. */
  #stopped = false;
  /** Connections in a row that could not be continued from where they stood, or that the service cut. */
  #restless = 0;
  /** Whether the connection began anew at the boundary. */
  #recovered = false;
  readonly #conversation: ConversationId;
  readonly #options: FollowOptions;

  constructor(client: StreamSource, conversation: ConversationId, options: FollowOptions) {
    this.#client = client;
    this.#conversation = conversation;
    this.#options = options;
    this.#after = options.after;
  }

  async run(): Promise<void> {
    const { signal, onState, clock } = this.#options;
    onState?.({ is: 'connecting' });
    for (let attempt = 1; !signal.aborted; attempt++) {
      const ended = await this.#connect();
      if (signal.aborted) return;
      if (ended.heard) attempt = 1;
      this.#restless = ended.restless ? this.#restless + 1 : 0;
      if (ended.cut === 'stopping') onState?.({ is: 'stopped', why: stopped().detail });
      this.#stopped ||= ended.cut === 'stopping';
      if (this.#stopped) {
        await rest(clock, LOOK, signal);
        await this.#renew();
        continue;
      }
      onState?.({ is: 'lost', why: ended.why });
      // The first time that it was too slow a consumer may come back at once.
      const waits =
        ended.cut === 'consumer_too_slow' ? this.#restless - 1 : Math.max(attempt, this.#restless);
      const inMs = backoff(waits);
      onState?.({ is: 'reconnecting', attempt, inMs });
      if (inMs > 0) await rest(clock, inMs, signal);
      if (ended.unreachable && !signal.aborted) await this.#renew();
    }
  }

  async #renew(): Promise<void> {
    const { renew, signal, onState, clock } = this.#options;
    for (let told = this.#stopped; !signal.aborted; ) {
      try {
        this.#client = (await renew?.()) ?? this.#client;
        return;
      } catch (error) {
        const problem = asProblem(error);
        // The next attempt says plainly that nobody answers.
        if (problem.code !== 'stopped') return;
        if (!told) onState?.({ is: 'stopped', why: problem.detail });
        told = true;
        await rest(clock, LOOK, signal);
      }
    }
  }

  /** One connection, from its request to its end. Rejects when no other could do better. */
  async #connect(): Promise<Ended> {
    const { signal, onState, clock } = this.#options;
    const link = new AbortController();
    const stop = (): void => link.abort();
    signal.addEventListener('abort', stop, { once: true });
    let silent = false;
    const watch = (): (() => void) =>
      clock.after(SILENCE, () => {
        silent = true;
        link.abort();
      });
    let unwatch = watch();
    let heard = false;
    const cuts: CutFrame[] = [];
    this.#recovered = false;
    const faults: unknown[] = [];
    try {
      const body = await this.#client.openStream(this.#conversation, this.#after, link.signal);
      this.#stopped = false;
      onState?.({ is: 'connected' });
      const parser = createParser({
        onEvent: message => {
          if (link.signal.aborted || cuts.length + faults.length > 0) return;
          try {
            const frame = this.#take(message.data);
            if (frame !== null) cuts.push(frame);
          } catch (error) {
            faults.push(error);
          }
        },
      });
      const decoder = new TextDecoder();
      const reader = body.getReader();
      while (cuts.length === 0) {
        const { done, value } = await reader.read();
        if (done) break;
        heard = true;
        unwatch();
        unwatch = watch();
        parser.feed(decoder.decode(value, { stream: true }));
        if (faults.length > 0) throw faults[0];
      }
      const [cut] = cuts;
      const ending = cut === undefined ? 'The connection was closed.' : 'The service ended the connection.';
      return {
        why: cut?.problem?.detail ?? ending,
        cut: cut?.code ?? null,
        heard,
        restless: cut !== undefined || this.#recovered,
        unreachable: false,
      };
    } catch (error) {
      // A surface that fails at a frame must hear of it; another connection would only repeat it.
      if (faults.length > 0) throw error;
      const problem = asProblem(error);
      if (!signal.aborted && FINAL.has(problem.status)) throw problem;
      const why = silent ? 'The service fell silent.' : heard ? 'The connection broke.' : problem.detail;
      const restless = this.#recovered;
      return { why, cut: null, heard, restless, unreachable: problem.code === 'unreachable' };
    } finally {
      unwatch();
      signal.removeEventListener('abort', stop);
      link.abort();
    }
  }

  /** Hands one frame over and moves the position; the frame itself when it is the last one. */
  #take(data: string): CutFrame | null {
    const frame = this.#client.readFrame(data);
    if (frame === null) return null;
    // What was there stays as it is: there is nothing that it could be recovered from.
    if (frame.frame === 'recover' && frame.recovery.code === 'unknown_conversation')
      throw gone(this.#conversation);
    this.#options.onFrame(frame);
    if (frame.frame === 'event') this.#after = frame.cursor;
    if (frame.frame === 'recover') {
      this.#after = frame.recovery.resetCursor;
      this.#recovered = true;
    }
    if (frame.frame === 'cut') this.#after ??= frame.resumeFrom;
    return frame.frame === 'cut' ? frame : null;
  }
}

/**
 * Follows a conversation until the signal is aborted, and then resolves. Rejects with a `HearthProblem` only when no
 * further attempt could do better: the conversation does not exist, or the token is wrong.
 */
export async function follow(
  client: StreamSource,
  conversation: ConversationId,
  options: FollowOptions,
): Promise<void> {
  await new Follower(client, conversation, options).run();
}
