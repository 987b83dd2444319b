/**
 * A clock that stands still until it is told to move. Timers fire in the order of their instants, and those of one
 * instant in the order in which they were set; a timer set by another fires in the same `advance` if it is due.
 */
import type { Clock } from './clock.ts';

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** A clock for tests and simulations, in milliseconds; `advance` is the only thing that moves it. */
export class SimClock implements Clock {
  #wall: number;
  #active = 0;
  #timers: Timer[] = [];

  /** `start` is the wall clock's first reading, in milliseconds since the Unix epoch. */
  constructor(start: number = Date.UTC(2026, 0, 1)) {
    this.#wall = start;
  }

  now(): number {
    return this.#wall;
  }

  active(): number {
    return this.#active;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { due: this.#active + Math.max(0, ms), callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter(other => other !== timer);
    };
  }

  /** How many timers wait. */
  get timers(): number {
    return this.#timers.length;
  }

  /** Moves both clocks by `ms`, firing what falls due, each at its own instant. */
  advance(ms: number): void {
    const until = this.#active + ms;
    for (let next = this.#next(until); next; next = this.#next(until)) {
      this.#timers = this.#timers.filter(timer => timer !== next);
      this.#move(next.due);
      next.callback();
    }
    this.#move(until);
  }

  /** The machine sleeps for `ms`: the wall clock moves, active time and timers stand still. */
  suspend(ms: number): void {
    this.#wall += ms;
  }

  #next(until: number): Timer | null {
    let found: Timer | null = null;
    for (const timer of this.#timers) {
      if (timer.due <= until && (found === null || timer.due < found.due)) found = timer;
    }
    return found;
  }

  #move(active: number): void {
    const ms = Math.max(0, active - this.#active);
    this.#wall += ms;
    this.#active += ms;
  }
}
