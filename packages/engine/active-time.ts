import type { Clock } from '@hearth/store/clock.ts';

/**
 * The time in which at least one effect of a run is at work, counted once however many are: what one effect is charged
 * begins where the last charge ended, so that the sum over all of them is the time that passed. Milliseconds of the clock
 * that stands still while the machine sleeps.
 */
export class ActiveTime {
  readonly #clock: Clock;
  #working = 0;
  /** Up to here it was charged. */
  #charged = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The clock itself; only differences mean anything. */
  now(): number {
    return this.#clock.active();
  }

  /** An effect begins. */
  begin(): void {
    if (this.#working === 0) this.#charged = this.#clock.active();
    this.#working += 1;
  }

  /** Milliseconds that nobody was charged yet. */
  uncharged(): number {
    return this.#working === 0 ? 0 : Math.max(0, Math.round(this.#clock.active() - this.#charged));
  }

  /** An effect has ended: what it is charged. */
  end(): number {
    const used = this.uncharged();
    this.#charged += used;
    this.#working = Math.max(0, this.#working - 1);
    return used;
  }
}
