import type { Clock } from '@hearth/store/clock.ts';
import { Endless, Garbage, SentOn, Silence } from './failure.ts';

/*
 * Watches one request for silence, on the wire: a server that still sends bytes is not silent, whatever they say. What
 * runs out is the clock's time, so a machine that slept does not count.
 */

/** Most bytes of an answer, and of a refusal. */
const ANSWER = 256 * 1024 * 1024;
const REFUSAL = 256 * 1024;

/** The watch over one request. Whoever makes one stops it when the request is over. */
export class Watch {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #abort = new AbortController();
  #began = false;
  #cancel: () => void;

  /** Starts at once: until the first byte, silence is `cold`. */
  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
    this.#cancel = this.#arm();
  }

  /** Aborts with a `Silence`. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Ends the watch. */
  stop(): void {
    this.#cancel();
  }

  /** A `fetch` that is watched, that goes nowhere else, and that takes nothing but a stream for an answer. */
  watched(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const response = await fetch(input, { ...init, redirect: 'manual' });
      this.#heard();
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel().catch(() => undefined);
        throw new SentOn();
      }
      const { body, status, statusText, headers } = response;
      if (body === null) return response;
      if (!response.ok) return new Response(body.pipeThrough(shortened()), { status, statusText, headers });
      const type = headers.get('content-type') ?? '';
      if (type !== '' && !/event-stream/i.test(type)) {
        await body.cancel().catch(() => undefined);
        throw new Garbage(type);
      }
      let bytes = 0;
      const heard = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          this.#heard();
          bytes += chunk.length;
          if (bytes > ANSWER) controller.error(new Endless());
          else controller.enqueue(chunk);
        },
      });
      return new Response(body.pipeThrough(heard), { status, statusText, headers });
    };
  }

  #heard(): void {
    this.#began = true;
    this.#cancel();
    this.#cancel = this.#arm();
  }

  #arm(): () => void {
    if (this.#abort.signal.aborted) return () => undefined;
    return this.#clock.after(this.#ms, () => this.#abort.abort(new Silence(this.#began ? 'quiet' : 'cold')));
  }
}

/** Lets the beginning of a refusal through: what it is about stands there. */
function shortened(): TransformStream<Uint8Array, Uint8Array> {
  let left = REFUSAL;
  return new TransformStream({
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}
