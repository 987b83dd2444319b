import type { PlanNode } from '@hearth/language/plan/node.ts';
import { shapeOf } from '../shape.ts';
import type { Plan } from '../runnable.ts';
import type { Fork } from '../place.ts';

/** Tools that change nothing. */
const READS: ReadonlySet<string> = new Set([
  'git_diff',
  'git_status',
  'read_file',
  'list_files',
  'search_codebase',
  'tree',
]);

/**
 * Why the branches of a fork cannot work at the same time, in words for a person; `null` when they can. All work in one
 * workspace, so at most one of them may hold a node that changes it.
 */
export function unsafeBranches(plan: Plan, fork: Pick<Fork, 'meets' | 'branches'>): string | null {
  const mutating = fork.branches.flatMap(({ target }) => {
    const inside = [...shapeOf(plan).inside([target], fork.meets)];
    const found = inside.find(name => mutates(plan.nodes[name]));
    return found === undefined ? [] : [found];
  });
  if (mutating.length < 2) return null;
  const names = [...new Set(mutating)].map(name => `"${name}"`).join(' and ');
  return `Two branches would change one workspace at the same time: ${names}. Let one run after the other, or make an agent readonly.`;
}

function mutates(node: PlanNode | undefined): boolean {
  if (node?.kind === 'tool') return true;
  if (node?.kind !== 'agent' && node?.kind !== 'judge') return false;
  return !node.readonly && (node.tools ?? []).some(tool => !READS.has(tool));
}
