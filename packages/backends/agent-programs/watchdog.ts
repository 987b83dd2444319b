import { Stall } from '@hearth/engine/stall.ts';
import type { Clock } from '@hearth/store/clock.ts';

/** Nothing at all within this time of a program's start means that it does not come up, in milliseconds. */
export const COLD_MS = 90_000;

/**
 * Watches a program for silence. Until it says its first word the limit is that of a start, and the silence is `cold`;
 * afterwards it is `quiet`. While a tool works nothing is silent, and a machine that slept could hear nothing.
 */
export class Watchdog {
  /** Resolves when the silence has lasted too long. */
  readonly silent: Promise<'cold' | 'quiet'>;
  readonly #clock: Clock;
  readonly #quietMs: number;
  readonly #resolve: (kind: 'cold' | 'quiet') => void;
  #stall: Stall;
  #began = false;
  #stopped = false;

  /** Limits in milliseconds. */
  constructor(clock: Clock, limits: { readonly coldMs?: number; readonly quietMs: number }) {
    const { promise, resolve } = Promise.withResolvers<'cold' | 'quiet'>();
    this.silent = promise;
    this.#resolve = resolve;
    this.#clock = clock;
    this.#quietMs = limits.quietMs;
    this.#stall = this.#armed(Math.min(limits.coldMs ?? COLD_MS, limits.quietMs), 'cold');
  }

  /** The program has said something. */
  heard(): void {
    if (this.#stopped) return;
    if (this.#began) return this.#stall.heard();
    this.#began = true;
    this.#stall.stop();
    this.#stall = this.#armed(this.#quietMs, 'quiet');
  }

  /** A tool begins to work. */
  begin(call: string): void {
    this.heard();
    this.#stall.begin(call);
  }

  /** A tool has ended. */
  end(call: string): void {
    this.#stall.end(call);
  }

  stop(): void {
    this.#stopped = true;
    this.#stall.stop();
  }

  #armed(limit: number, kind: 'cold' | 'quiet'): Stall {
    const stall = new Stall(this.#clock, limit);
    void stall.stalled.then(() => this.#resolve(kind));
    return stall;
  }
}
