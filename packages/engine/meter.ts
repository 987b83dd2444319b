import { NO_SPEND, type Spend } from '@hearth/protocol/spend.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { add } from './budget.ts';

/** What one effect uses: active time by the clock, tokens and cost as the backend reports them. */
export class Meter {
  readonly #clock: Clock;
  readonly #startedAt: number;
  #summed: Spend = NO_SPEND;
  #highest: Spend | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.active();
  }

  /** Notes a report. Cumulative reports count once, at their last; others are summed. */
  note(spend: Spend, cumulative: boolean): void {
    if (cumulative) this.#highest = spend;
    else this.#summed = add(this.#summed, spend);
  }

  /** Milliseconds since the start. */
  activeMs(): number {
    return Math.max(0, Math.round(this.#clock.active() - this.#startedAt));
  }

  /** One node execution, with the time since the start. The backend's own measure of time is not used. */
  total(): Spend {
    const reported = this.#highest === null ? this.#summed : add(this.#summed, this.#highest);
    return { ...reported, activeMs: this.activeMs(), iterations: 1 };
  }
}
