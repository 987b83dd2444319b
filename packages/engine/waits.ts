import type { EffectId, Instant } from '@hearth/protocol/ids.ts';
import type { Clock } from '@hearth/store/clock.ts';
import type { State } from './state.ts';

/** A wait that ends at a moment, and whose. */
export interface Due {
  readonly effect: EffectId;
  readonly until: Instant;
}

/** The first wait of a parked agent that ends by itself; `null` when there is none. */
export function nextDue(state: State): Due | null {
  const { run } = state.machine;
  if (run === null || run.status === 'ended') return null;
  let first: Due | null = null;
  for (const { stage } of run.tokens) {
    if (stage.is !== 'parked' || stage.wait?.until === undefined || stage.wait.late === true) continue;
    const { effect } = stage;
    const { until } = stage.wait;
    if (first === null || Date.parse(until) < Date.parse(first.until)) first = { effect, until };
  }
  return first;
}

/** Comes back when the first of the waits is over. What is due is in the state, so nothing is lost with this timer. */
export class WaitTimer {
  readonly #clock: Clock;
  readonly #over: (effect: EffectId) => void;
  #stop: () => void = () => undefined;

  constructor(clock: Clock, over: (effect: EffectId) => void) {
    this.#clock = clock;
    this.#over = over;
  }

  /** Looks at the state anew. */
  follow(state: State): void {
    this.#stop();
    const due = nextDue(state);
    if (due === null) return;
    const left = Date.parse(due.until) - this.#clock.now();
    // A clock takes no longer time at once; it looks again then.
    const ms = Math.min(Math.max(0, left), LONGEST_MS);
    this.#stop = this.#clock.after(ms, () => {
      if (left > LONGEST_MS) this.follow(state);
      else this.#over(due.effect);
    });
  }

  stop(): void {
    this.#stop();
  }
}

const LONGEST_MS = 24 * 3_600_000;
