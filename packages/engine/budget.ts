import type { Axis, LedgerName, Spend } from '@hearth/protocol/spend.ts';
import type { Plan } from './runnable.ts';
import type { Ledgers } from './state.ts';

/** From this share of a limit on, a person is warned once. */
const WARN = 0.8;
/** From this share of a limit on, no new node starts. */
const BLOCK = 0.9;

/** The failure code of an effect that was stopped because its budget was used up. */
export const OVER_BUDGET = 'budget';

export const AXES: readonly Axis[] = ['duration', 'cost', 'tokens', 'iterations'];
const LEDGERS: readonly LedgerName[] = ['burst', 'lifetime'];

/** One bounded axis of one ledger. */
export interface Gauge {
  readonly ledger: LedgerName;
  readonly axis: Axis;
  /** In the axis' unit; an unknown figure counts what is known of it. */
  readonly used: number;
  readonly limit: number;
  readonly unpriced: number;
}

/** Every bounded axis, burst first. */
export function gauges(plan: Plan, ledgers: Ledgers): readonly Gauge[] {
  return LEDGERS.flatMap(ledger =>
    AXES.flatMap(axis => {
      const limit = limitOf(plan, ledgers, ledger, axis);
      if (limit === undefined) return [];
      return [
        { ledger, axis, used: usedOn(ledgers[ledger], axis), limit, unpriced: ledgers[ledger].unpriced },
      ];
    }),
  );
}

/** The limit that applies: what a person raised it to, else what the plan says. */
export function limitOf(plan: Plan, ledgers: Ledgers, ledger: LedgerName, axis: Axis): number | undefined {
  const raised = ledgers.raised.findLast(entry => entry.ledger === ledger && entry.axis === axis);
  return raised?.to ?? plan.budget[ledger][axis];
}

/** The first gauge at which no new node may start. */
export function blocking(plan: Plan, ledgers: Ledgers): Gauge | null {
  return gauges(plan, ledgers).find(gauge => gauge.used >= gauge.limit * BLOCK) ?? null;
}

/** Gauges past the warning mark that have not been warned about. */
export function toWarn(plan: Plan, ledgers: Ledgers): readonly Gauge[] {
  return gauges(plan, ledgers).filter(
    gauge => gauge.used >= gauge.limit * WARN && !ledgers.warned.includes(nameOf(gauge)),
  );
}

/** How a gauge is remembered as warned about. */
export function nameOf(gauge: { ledger: LedgerName; axis: Axis }): string {
  return `${gauge.ledger}.${gauge.axis}`;
}

/** Active milliseconds left before a duration limit is reached; `null` when none applies. */
export function activeLeft(plan: Plan, ledgers: Ledgers): number | null {
  const left = gauges(plan, ledgers)
    .filter(gauge => gauge.axis === 'duration')
    .map(gauge => Math.max(0, gauge.limit - gauge.used));
  return left.length === 0 ? null : Math.min(...left);
}

function usedOn(spend: Spend, axis: Axis): number {
  if (axis === 'duration') return spend.activeMs;
  if (axis === 'cost') return spend.costUsd ?? 0;
  if (axis === 'tokens') return spend.tokens ?? 0;
  return spend.iterations;
}

/** The sum of two spends. Unpriced steps are counted; what is known of cost and tokens is kept. */
export function add(a: Spend, b: Spend): Spend {
  return {
    activeMs: a.activeMs + b.activeMs,
    tokens: sum(a.tokens, b.tokens),
    costUsd: sum(a.costUsd, b.costUsd),
    iterations: a.iterations + b.iterations,
    unpriced: a.unpriced + b.unpriced,
  };
}

const sum = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0);
