import { evaluate, type Scope } from '@hearth/language/expr/evaluation.ts';
import { truthy } from '@hearth/language/expr/values.ts';
import type { Guard, PlanEdge } from '@hearth/language/plan.ts';
import type { Values } from '@hearth/language/value.ts';
import type { Plan } from './runnable.ts';
import { capOf, scopeOf } from './scope.ts';
import type { Ledgers, RunState } from './state.ts';

/** The edge that a node's output leads along, or why there is none. */
export type EdgeChoice =
  | { readonly edge: PlanEdge; readonly skipped: readonly string[] }
  | { readonly none: 'loop_exhausted'; readonly loop: string; readonly skipped: readonly string[] }
  | { readonly none: 'no_edge'; readonly skipped: readonly string[] };

/**
 * In file order: an edge of an exhausted loop is passed over; the first conditional edge that holds wins; else the
 * first edge without a condition. `skipped` names guards that could not be judged.
 */
export function chooseEdge(
  plan: Plan,
  run: RunState,
  node: string,
  output: Values,
  ledgers: Ledgers,
): EdgeChoice {
  const skipped: string[] = [];
  let fallback: PlanEdge | null = null;
  let exhausted: string | null = null;
  for (const edge of plan.edges) {
    if (edge.from !== node) continue;
    if (edge.loop !== null && (run.loops[edge.loop]?.count ?? 0) >= capOf(plan, run, edge.loop)) {
      exhausted ??= edge.loop;
      continue;
    }
    if (edge.when === null) {
      fallback ??= edge;
      continue;
    }
    const held = holds(edge.when, scopeOf(plan, run, output, ledgers), output);
    if (held === true) return { edge, skipped };
    if (held !== false) skipped.push(`${edge.from} -> ${edge.to}: ${held}`);
  }
  if (fallback !== null) return { edge: fallback, skipped };
  return exhausted === null
    ? { none: 'no_edge', skipped }
    : { none: 'loop_exhausted', loop: exhausted, skipped };
}

/** Whether the guard holds, or the reason why that cannot be said. */
function holds(guard: Guard, scope: Scope, output: Values): boolean | string {
  if (guard.is === 'field') {
    const value = output[guard.field];
    return typeof value === 'boolean' ? value !== guard.negated : `"${guard.field}" is no boolean`;
  }
  const result = evaluate(guard.expr, scope);
  return result.ok ? truthy(result.value) : result.error.message;
}
