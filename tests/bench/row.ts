/* A figure, beside the floor or the peer that was measured in the same minute on the same machine. */

/** One line of the table. Figures are in `unit`; `null` where there is nothing to compare with. */
export interface Row {
  readonly work: string;
  readonly ours: number;
  /** Another program's figure for the same work. */
  readonly peer: number | null;
  /** What the machine takes for the bare minimum of the work, or what was wanted at most. */
  readonly floor: number | null;
  readonly unit: string;
  /** Ours over the peer's, or over the floor. */
  readonly ratio: number | null;
  /** What was set out to be reached; empty where nothing was. */
  readonly target?: string;
}

/** A row that is compared with a floor, or with nothing. */
export function row(work: string, ours: number, floor: number | null, unit = 'ms', target = ''): Row {
  return { work, ours, peer: null, floor, unit, ratio: floor === null ? null : ours / floor, target };
}

export function quantile(values: readonly number[], q: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0;
}

/** Milliseconds that some work takes. */
export async function timed(work: () => Promise<unknown> | void): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** The times of some work, done one after the other. */
export async function many(count: number, work: () => Promise<unknown> | void): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) times.push(await timed(work));
  return times;
}
