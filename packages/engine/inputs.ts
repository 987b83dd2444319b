import { render, resolve } from '@hearth/language/refs/rendering.ts';
import type { Values } from '@hearth/language/value.ts';
import type { Plan } from './runnable.ts';
import { lookupIn, scopeOf } from './scope.ts';
import type { Ledgers, RunState } from './state.ts';

/**
 * A node's input when a token arrives: every edge into it that carries `with` and whose source has an output, in
 * file order, later keys over earlier ones; the entry without any gets the vars; else nothing.
 */
export function inputOf(plan: Plan, run: RunState, node: string, ledgers: Ledgers): Values {
  const input: Values = {};
  let mapped = false;
  for (const edge of plan.edges) {
    const output = edge.to === node && edge.with.length > 0 ? run.outputs[edge.from] : undefined;
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
