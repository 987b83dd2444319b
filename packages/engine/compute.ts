import { evaluate } from '@hearth/language/expr/evaluation.ts';
import type { ComputeNode } from '@hearth/language/plan/node.ts';
import type { Values } from '@hearth/language/value.ts';
import type { Outcome } from './entry.ts';
import type { Plan } from './runnable.ts';
import { scopeOf } from './scope.ts';
import type { Ledgers, RunState } from './state.ts';

/** What a compute node gives for an input. Pure; a field that has no value fails the node. */
export function compute(
  plan: Plan,
  run: RunState,
  node: ComputeNode,
  input: Values,
  ledgers: Ledgers,
): Outcome {
  const scope = scopeOf(plan, run, input, ledgers);
  const output: Values = {};
  for (const field of node.fields) {
    const result = evaluate(field.expr, scope);
    if (!result.ok) {
      const message = `"${node.name}" could not work out "${field.name}": ${result.error.message}.`;
      return { is: 'failed', code: 'EXPRESSION_FAILED', message, began: false };
    }
    output[field.name] = result.value;
  }
  return { is: 'done', output };
}
