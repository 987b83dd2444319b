import type { ActiveTime } from './active-time.ts';
import type { EntryBody } from './entry.ts';
import type { Effect } from './machine.ts';
import type { RunOptions } from './run.ts';

/** What an effect runs with. */
export interface EffectOptions extends RunOptions {
  /** The time of the run, which its effects share. */
  readonly time: ActiveTime;
}

/** An effect that runs: a backend's turn or a tool node's work. */
export interface RunningEffect {
  readonly effect: Effect;
  /** Runs to the end. Rejects only when the truth could not be written, or after `abort`. */
  run(): Promise<EntryBody>;
  /** Something was committed that may matter to it: a message, a raised limit. */
  refresh(): void;
  /** Asks it to stop; the outcome will say so. */
  interrupt(): void;
  /** Stops it for good, without an outcome. */
  abort(): void;
}
