/**
 * Tries something again until it has worked: at once, then ever more slowly, by the clock. Whoever cannot wait asks for
 * an attempt of its own; attempts never overlap. While all is well there is no timer.
 */
import type { Clock } from '@hearth/store/clock.ts';

/** Milliseconds before each further attempt; the last one repeats. */
export const BACKOFF = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

/** Calls `attempt` until it resolves with `true`. Waits are those of `BACKOFF`, in milliseconds. */
export class Mending {
  readonly #clock: Clock;
  readonly #attempt: () => Promise<boolean>;
  #running: Promise<void> | null = null;
  #failed = 0;
  #cancel: (() => void) | null = null;
  #stopped = false;

  /** `attempt` resolves to whether all is well again; a rejection says that it is not. */
  constructor(clock: Clock, attempt: () => Promise<boolean>) {
    this.#clock = clock;
    this.#attempt = attempt;
  }

  /** Attempts it now, or joins the attempt under way. Rejects as that does. */
  now(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Does something that must not meet an attempt; whoever waits for those waits for it too. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    await this.still();
    const result = work();
    this.#running = result.then(
      () => undefined,
      () => undefined,
    );
    const mine = this.#running;
    try {
      return await result;
    } finally {
      if (this.#running === mine) this.#running = null;
    }
  }

  /** Attempts it after the next while, unless that is planned or under way. */
  later(): void {
    if (this.#stopped || this.#cancel !== null) return;
    const ms = BACKOFF[Math.min(this.#failed, BACKOFF.length - 1)] ?? 0;
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = null;
      this.#failed += 1;
      void this.now().catch(() => undefined);
    });
  }

  /** Resolves when no attempt is under way. Never rejects. */
  async still(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  /** Attempts nothing any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = null;
    await this.still();
  }

  async #run(): Promise<void> {
    let well = false;
    try {
      well = await this.#attempt();
    } finally {
      if (well) {
        this.#cancel?.();
        this.#cancel = null;
        this.#failed = 0;
      } else this.later();
    }
  }
}
