import { fragmentOf } from '@hearth/language/compile/cursors.ts';
import type { ModelNode, Plan } from './runnable.ts';

/**
 * The part of an agent's system prompt that its cursors make, or why there is none: the environment gave one of them a
 * value that it does not have. Empty where no cursor is set.
 */
export function calibration(
  plan: Plan,
  node: ModelNode,
  expand: (text: string) => string,
): { readonly text: string } | { readonly refused: string } {
  const lines: string[] = [];
  for (const { name, value } of node.cursors ?? []) {
    const cursor = plan.cursors?.[name];
    const set = expand(value).trim();
    const fragment = cursor === undefined ? null : fragmentOf(cursor, set);
    if (fragment === null) {
      return {
        refused: `The cursor "${name}" of "${node.name}" has no value "${set}"; set one that it has.`,
      };
    }
    lines.push(`**${name}:** ${fragment}`);
  }
  return { text: lines.length === 0 ? '' : `## Calibration\n\n${lines.join('\n')}` };
}
