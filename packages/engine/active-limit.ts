import type { Clock } from '@hearth/store/clock.ts';
import { activeLeft } from './budget.ts';
import type { Drive } from './drive.ts';
import type { Meter } from './meter.ts';

/** Ends an effect in flight when the active time that the budget allows is used up; a raise moves the moment. */
export class ActiveLimit {
  /** The moment came. */
  over = false;
  readonly #drive: Drive;
  readonly #clock: Clock;
  readonly #meter: Meter;
  readonly #end: () => void;
  #cancel: () => void = () => undefined;

  constructor(drive: Drive, clock: Clock, meter: Meter, end: () => void) {
    this.#drive = drive;
    this.#clock = clock;
    this.#meter = meter;
    this.#end = end;
  }

  /** Follows what the ledgers say now. */
  follow(): void {
    this.#cancel();
    const { plan, state } = this.#drive;
    const left = activeLeft(plan, state.ledgers, state.machine.run?.grace === true);
    if (left === null) return;
    // The ledgers are charged at the end, so what was used since the last charge comes off what they leave.
    this.#cancel = this.#clock.after(Math.max(0, left - this.#meter.uncharged()), () => {
      this.over = true;
      this.#end();
    });
  }

  stop(): void {
    this.#cancel();
  }
}
