import type { Clock } from '@hearth/store/clock.ts';

/*
 * What nobody waits for is done while nobody waits: work of the service's own asks for a quiet moment before each small part
 * of it. Guarantee: a service that is always asked something does that work too, only later.
 */

/** The longest wait for a quiet moment, in milliseconds. */
const LONGEST_MS = 50;

/** Whether requests are being answered. A stream that has begun is no request any more. */
export class Quiet {
  readonly #clock: Clock;
  #answering = 0;
  #waiting: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does what answers a request. */
  async during<T>(answer: () => T | Promise<T>): Promise<T> {
    this.#answering += 1;
    try {
      return await answer();
    } finally {
      this.#answering -= 1;
      if (this.#answering === 0) for (const go of this.#waiting.splice(0)) go();
    }
  }

  /** Resolves when no request is being answered, or has waited long enough. */
  async moment(): Promise<void> {
    if (this.#answering === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    const cancel = this.#clock.after(LONGEST_MS, resolve);
    await promise;
    cancel();
  }
}
