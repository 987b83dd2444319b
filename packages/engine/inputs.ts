import type { PlanEdge } from '@hearth/language/plan.ts';
import { render, resolve } from '@hearth/language/refs/rendering.ts';
import type { Values } from '@hearth/language/value.ts';
import { edgeKey } from './edges.ts';
import type { Frame } from './frame.ts';
import type { Plan } from './runnable.ts';
import { lookupIn, scopeOf } from './scope.ts';
import type { Ledgers } from './state.ts';

/**
 * A node's input when a token arrives along the edges `by` (several where branches meet): every edge into it that
 * carries `with`, whose source has an output and which counts (docs/adr/0044), in file order, later keys over earlier
 * ones; the entry without any gets the vars; else nothing.
 */
export function inputOf(
  plan: Plan,
  run: Frame,
  node: string,
  ledgers: Ledgers,
  by: readonly string[] = [],
): Values {
  const input: Values = {};
  let mapped = false;
  for (const edge of plan.edges) {
    if (edge.to !== node || edge.with.length === 0 || !counts(plan, run, edge, by)) continue;
    const output = run.outputs[edge.from];
    if (output === undefined) continue;
    mapped = true;
    const lookup = lookupIn(scopeOf(plan, run, { ...run.vars, ...output }, ledgers));
    for (const { key, value, joined } of edge.with) {
      input[key] = joined === true ? render(value, lookup) : resolve(value, lookup);
    }
  }
  if (mapped) return input;
  return node === plan.entry ? { ...run.vars } : {};
}

/** Whether an edge gives its values: any one, only those once taken, or only those just taken, as the plan says. */
function counts(plan: Plan, run: Frame, edge: PlanEdge, by: readonly string[]): boolean {
  if (plan.values === undefined) return true;
  const key = edgeKey(plan, edge);
  return by.includes(key) || (plan.values === 'fired' && (run.crossed?.includes(key) ?? false));
}
