import type { Timers } from '@hearth/client/timers.ts';

/** Redraws once a second while a turn runs: its time goes on without any event. */
export class Ticker {
  readonly #timers: Timers;
  readonly #redraw: () => void;
  #stop: () => void = () => {};

  constructor(timers: Timers, redraw: () => void) {
    this.#timers = timers;
    this.#redraw = redraw;
  }

  follow(running: boolean): void {
    this.stop();
    if (!running) return;
    this.#stop = this.#timers.after(1000, () => {
      this.#redraw();
      this.follow(true);
    });
  }

  stop(): void {
    this.#stop();
    this.#stop = () => {};
  }
}
