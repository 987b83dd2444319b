import type { Clock } from '@hearth/store/clock.ts';

/*
 * How often something may be done: so many times at once, then one more each time a while has passed. It holds no timer;
 * it reckons when it is asked. A clock that was set back stops nothing for longer than one such while.
 */

/** How often something may be done. */
export interface Rate {
  /** How often at once. */
  readonly burst: number;
  /** Milliseconds after which there is one more. */
  readonly everyMs: number;
}

/** One thing that may be done so often. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #rate: Rate;
  #left: number;
  #at: number;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#left = rate.burst;
    this.#at = clock.now();
  }

  /** Milliseconds until it may be done once more; 0 when that is now. Counts nothing. */
  wait(): number {
    const { burst, everyMs } = this.#rate;
    const now = this.#clock.now();
    const passed = Math.max(0, now - this.#at);
    this.#left = Math.min(burst, this.#left + passed / everyMs);
    this.#at = now;
    return this.#left >= 1 ? 0 : Math.ceil((1 - this.#left) * everyMs);
  }

  /** Counts one and answers 0, or the milliseconds to wait when it may not be done. */
  take(): number {
    const wait = this.wait();
    if (wait === 0) this.#left -= 1;
    return wait;
  }
}

/** One limit for each object, as a connection is one; it goes when the object goes. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #rate: Rate;
  readonly #limits = new WeakMap<object, RateLimit>();

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
  }

  of(key: object): RateLimit {
    const limit = this.#limits.get(key) ?? new RateLimit(this.#clock, this.#rate);
    this.#limits.set(key, limit);
    return limit;
  }
}
