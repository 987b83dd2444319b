import type { Clock } from '@hearth/store/clock.ts';
import { Garbage, SentOn, Silence } from './failure.ts';

/*
 * Watches one request for silence, on the wire: a server that still sends bytes is not silent, whatever they say. What
 * runs out is the clock's time, so a machine that slept does not count.
 */

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
      if (!response.ok || response.body === null) return response;
      const type = response.headers.get('content-type') ?? '';
      if (type !== '' && !/event-stream/i.test(type)) {
        await response.body.cancel().catch(() => undefined);
        throw new Garbage(type);
      }
      const heard = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          this.#heard();
          controller.enqueue(chunk);
        },
      });
      const { status, statusText, headers } = response;
      return new Response(response.body.pipeThrough(heard), { status, statusText, headers });
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
