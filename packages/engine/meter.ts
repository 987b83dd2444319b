import { NO_SPEND, type Spend } from '@hearth/protocol/spend.ts';
import type { ActiveTime } from './active-time.ts';
import { add } from './budget.ts';

/** What one effect uses: its share of the run's active time, tokens and cost as the backend reports them. */
export class Meter {
  readonly #time: ActiveTime;
  #summed: Spend | null = null;
  #highest: Spend | null = null;
  #total: Spend | null = null;
  #beganAt = 0;

  constructor(time: ActiveTime) {
    this.#time = time;
  }

  /** The effect is at work from now on; `total` ends that. */
  begin(): void {
    this.#beganAt = this.#time.now();
    this.#time.begin();
  }

  /** Notes a report. Cumulative reports count once, at their highest, whatever their order; others are summed. */
  note(spend: Spend, cumulative: boolean): void {
    if (cumulative) this.#highest = this.#highest === null ? spend : highest(this.#highest, spend);
    else this.#summed = this.#summed === null ? spend : add(this.#summed, spend);
  }

  /** Milliseconds since it began, whatever else ran meanwhile. */
  activeMs(): number {
    return Math.max(0, Math.round(this.#time.now() - this.#beganAt));
  }

  /** Milliseconds of the run that the ledgers do not hold yet. */
  uncharged(): number {
    return this.#time.uncharged();
  }

  /** One node execution, with the time that it is charged; the meter stops. The backend's own measure of time is not used. */
  total(): Spend {
    const [summed, cumulative] = [this.#summed, this.#highest];
    const both = summed === null || cumulative === null ? (summed ?? cumulative) : add(summed, cumulative);
    this.#total ??= { ...(both ?? NO_SPEND), activeMs: this.#time.end(), iterations: 1 };
    return this.#total;
  }
}

function highest(a: Spend, b: Spend): Spend {
  return {
    activeMs: Math.max(a.activeMs, b.activeMs),
    tokens: most(a.tokens, b.tokens),
    costUsd: most(a.costUsd, b.costUsd),
    iterations: Math.max(a.iterations, b.iterations),
    unpriced: Math.max(a.unpriced, b.unpriced),
  };
}

const most = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);
