import type { Clock } from '@hearth/store/clock.ts';

/** What costs something to find out, such as the start of a program: found out once in a while, and kept in between. */
export class Kept<T> {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #find: () => Promise<T>;
  #kept: { readonly at: number; readonly found: Promise<T> } | null = null;

  /** `ms`: how long an answer is good for, in milliseconds of the clock's active time. */
  constructor(clock: Clock, ms: number, find: () => Promise<T>) {
    this.#clock = clock;
    this.#ms = ms;
    this.#find = find;
  }

  /** The answer of last time while it is good, else a new one; whoever asks meanwhile gets the same. */
  get(): Promise<T> {
    const now = this.#clock.active();
    if (this.#kept !== null && now - this.#kept.at < this.#ms) return this.#kept.found;
    const found = this.#find();
    this.#kept = { at: now, found };
    return found;
  }
}
