/** Runs many seeds; the first that fails is told with the command that replays it. */
import { simulate, type Summary } from './simulation.ts';

export interface Totals {
  readonly seeds: number;
  readonly boots: number;
  readonly turns: number;
  readonly recoveries: number;
  readonly cuts: number;
  readonly refusals: number;
  readonly owing: number;
  readonly raised: number;
  readonly attached: number;
}

/** Runs the seeds from `from` on, each for `steps` steps. */
export async function simulateAll(from: number, count: number, steps: number): Promise<Totals> {
  let totals: Totals = {
    seeds: 0,
    boots: 0,
    turns: 0,
    recoveries: 0,
    cuts: 0,
    refusals: 0,
    owing: 0,
    raised: 0,
    attached: 0,
  };
  const { stackTraceLimit } = Error;
  // Most of what is thrown is meant, and where it was thrown is told by a replay.
  Error.stackTraceLimit = 0;
  try {
    for (let seed = from; seed < from + count; seed += 1) totals = sum(totals, await told(seed, steps));
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return totals;
}

async function told(seed: number, steps: number): Promise<Summary> {
  const trace: string[] = [];
  try {
    return await simulate(seed, steps, trace);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const replay = `node tests/simulate/replay.ts ${seed} ${steps}`;
    throw new Error(`${why}\n${trace.join('\n')}\nReplay with: ${replay}`, { cause: thrown });
  }
}

function sum(totals: Totals, one: Summary): Totals {
  return {
    seeds: totals.seeds + 1,
    boots: totals.boots + one.boots,
    turns: totals.turns + one.turns,
    recoveries: totals.recoveries + one.recoveries,
    cuts: totals.cuts + one.cuts,
    refusals: totals.refusals + one.refusals,
    owing: totals.owing + one.owing,
    raised: totals.raised + one.raised,
    attached: totals.attached + one.attached,
  };
}
