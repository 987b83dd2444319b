import type { PlanEdge } from '@hearth/language/plan.ts';
import { render, resolve } from '@hearth/language/refs/rendering.ts';
import type { Values } from '@hearth/language/value.ts';
import { edgeKey } from './edges.ts';
import type { Frame } from './frame.ts';
import type { Plan } from './runnable.ts';
import { lookupIn, scopeOf } from './scope.ts';
import type { Ledgers } from './state.ts';

/**
 * A node's input when a token arrives along the edges `by` (several where branches meet): what the edges into it give that
 * carry `with`, whose source has an output and which count (docs/adr/0044), later keys over earlier ones; the entry
 * without any gets the vars; else nothing.
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
  for (const edge of givers(plan, run, node, by)) {
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

/** The edges that give a node its values, in file order; where only those that were taken do, those just taken come last. */
function givers(plan: Plan, run: Frame, node: string, by: readonly string[]): readonly PlanEdge[] {
  const edges = plan.edges.filter(edge => edge.to === node && edge.with.length > 0);
  if (plan.values === undefined) return edges;
  const just = edges.filter(edge => by.includes(edgeKey(plan, edge)));
  if (plan.values === 'taken') return just;
  const before = edges.filter(
    edge => !just.includes(edge) && run.crossed?.includes(edgeKey(plan, edge)) === true,
  );
  return [...before, ...just];
}
