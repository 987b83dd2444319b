import type { Axis, LedgerName, Spend } from '@hearth/protocol/spend.ts';
import { effectKind, type Plan, type RunnableNode } from './runnable.ts';
import type { Ledgers, RunState } from './state.ts';

/** From this share of a limit on, a person is warned once. */
const WARN = 0.8;
/** From this share of a limit on, no new node starts. */
const BLOCK = 0.9;

/** What leads out of a loop that was left for its cost may use up to this share of a limit. */
const GRACE = 1.1;

/** How it is remembered that `warn_tokens` was passed; it belongs to the burst. */
export const WARN_TOKENS = 'burst.warn_tokens';
/** How it is remembered that an unpriced model was told of; once in an epoch. */
export const UNPRICED = 'unpriced';

/** The failure code of an effect that was stopped because its budget was used up. */
export const OVER_BUDGET = 'budget';
/** The code of a run that has failed at a limit, where the plan says that it does. */
export const BUDGET_EXCEEDED = 'BUDGET_EXCEEDED';

/** What is measured, in the order in which limits are looked at. */
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

/** Whether running the node uses up a budget; the others cost nothing and take no time. */
export function spends(node: RunnableNode | undefined): boolean {
  const kind = effectKind(node);
  return kind !== null && kind !== 'compute';
}

/** The first gauge at which no new node may start. `grace`: the run is on its way out of a loop that it had to leave. */
export function blocking(plan: Plan, ledgers: Ledgers, grace = false): Gauge | null {
  const share = grace ? GRACE : BLOCK;
  return gauges(plan, ledgers).find(gauge => gauge.used >= gauge.limit * share) ?? null;
}

/**
 * The first gauge that does not cover another round of a loop: no node may start under it, or less of it is left than the
 * round that is ending used. `null` when another round can be afforded, or when nothing is known of this one. A ledger that
 * was refilled during the round says nothing of the next.
 */
export function unaffordable(plan: Plan, run: RunState, loop: string, ledgers: Ledgers): Gauge | null {
  if (plan.budget.loopGuard === 'off') return null;
  const round = run.rounds?.[loop];
  const began = round?.began ?? run.before;
  if (began === undefined) return null;
  const unpriced = ledgers.lifetime.unpriced > began.unpriced;
  const short = (gauge: Gauge): boolean => {
    if (gauge.used >= gauge.limit * BLOCK) return true;
    if (gauge.ledger === 'burst' && round?.refilled === true) return false;
    if (gauge.axis === 'cost' && unpriced) return false;
    const used = usedOn(ledgers.lifetime, gauge.axis) - usedOn(began, gauge.axis);
    return used > 0 && gauge.limit - gauge.used < used;
  };
  return gauges(plan, ledgers).find(short) ?? null;
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
export function activeLeft(plan: Plan, ledgers: Ledgers, grace = false): number | null {
  const share = grace ? GRACE : 1;
  const left = gauges(plan, ledgers)
    .filter(gauge => gauge.axis === 'duration')
    .map(gauge => Math.max(0, gauge.limit * share - gauge.used));
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
