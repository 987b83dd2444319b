import type { Values } from '@hearth/language/value.ts';
import type { Axis } from '@hearth/protocol/spend.ts';
import { limitOf } from './budget.ts';
import type { Plan } from './runnable.ts';
import type { Ledgers, RunState } from './state.ts';

/**
 * What `run` holds for templates and expressions: the id, what the burst has used, and its limits, where 0 means that there
 * is none. Seconds are whole. A figure that is not known, such as the cost of an unpriced model, is null.
 */
export function runFigures(plan: Plan, run: RunState, ledgers: Ledgers): Values {
  const { burst } = ledgers;
  const limit = (axis: Axis): number => limitOf(plan, ledgers, 'burst', axis) ?? 0;
  return {
    id: run.id,
    elapsed_seconds: Math.floor(burst.activeMs / 1000),
    cost_usd: burst.costUsd,
    tokens: burst.tokens,
    iterations: burst.iterations,
    max_duration_seconds: Math.floor(limit('duration') / 1000),
    max_cost_usd: limit('cost'),
    max_tokens: limit('tokens'),
    max_iterations: limit('iterations'),
  };
}
