import type { RecoveryCause } from '@hearth/protocol/pause.ts';
import { branchesAround, branchOf } from '../frame.ts';
import type { Plan } from '../runnable.ts';
import { shapeOf } from '../shape.ts';
import type { RunState, Token } from '../state.ts';

/* Questions about branches under way. */

/** Recoveries that a failure of the plan leads to. The others wait for a person without anything having failed. */
export const FAILURES: ReadonlySet<RecoveryCause> = new Set([
  'failed',
  'draft_failed',
  'session_lost',
  'loop_exhausted',
]);

/** Whether a branch that the token is in may fail without the run: those who meet take what the others give. */
export function mayFall(run: RunState, token: Token): boolean {
  return branchesAround(run, token.branch).some(({ fork }) => fork.awaits === 'best_effort');
}

/** Where the branches that a token is in meet others, innermost first. */
export function meetingsAround(run: RunState, branch: string): readonly string[] {
  return branchesAround(run, branch).flatMap(({ fork: { meets } }) => (meets === null ? [] : [meets]));
}

/** The nodes of a branch; `null` for the trunk, which has them all. */
export function insideBranch(plan: Plan, run: RunState, branch: string | null): ReadonlySet<string> | null {
  const found = branchOf(run, branch);
  return found && shapeOf(plan).inside([found.branch.target], found.fork.meets);
}

/** Whether one branch is another, or is in it. */
export function isUnder(run: RunState, branch: string | null, outer: string): boolean {
  return branchesAround(run, branch).some(around => around.branch.id === outer);
}
