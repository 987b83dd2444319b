import type { Clock } from '@hearth/store/clock.ts';

/*
 * The net below every backend. A backend gives up by itself when its model falls silent; one that does not is given up
 * here, so that no turn hangs for ever. Only silence counts, never how long a turn lasts: whatever the backend shows
 * begins it anew, and while a tool works nothing is silent. A machine that slept could hear nothing, so its sleep does
 * not count, whichever of its clocks went on.
 */

/** Milliseconds between two looks. A look that comes later than that counts as two at most. */
export const LOOK_MS = 5_000;

/** Watches one turn of a backend. It holds a timer until `stop`. */
export class Stall {
  /** Resolves when the silence has lasted too long. */
  readonly stalled: Promise<void>;
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #resolve: () => void;
  /** Tools that work. */
  readonly #tools = new Set<string>();
  #silent = 0;
  #looked: number;
  #cancel: () => void;

  /** `limit` is in milliseconds. */
  constructor(clock: Clock, limit: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.stalled = promise;
    this.#resolve = resolve;
    this.#clock = clock;
    this.#limit = limit;
    this.#looked = clock.active();
    this.#cancel = clock.after(LOOK_MS, () => this.#look());
  }

  /** The backend has shown something. */
  heard(): void {
    this.#silent = 0;
  }

  /** A tool begins. */
  begin(call: string): void {
    this.#tools.add(call);
    this.heard();
  }

  /** A tool has ended. */
  end(call: string): void {
    this.#tools.delete(call);
    this.heard();
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    const now = this.#clock.active();
    const passed = Math.min(Math.max(0, now - this.#looked), 2 * LOOK_MS);
    this.#looked = now;
    this.#silent = this.#tools.size > 0 ? 0 : this.#silent + passed;
    if (this.#silent >= this.#limit) this.#resolve();
    else this.#cancel = this.#clock.after(LOOK_MS, () => this.#look());
  }
}
