import { isModelNode } from '../runnable.ts';
import { slotOf } from '../session.ts';
import type { RunState, SessionRef, Token } from '../state.ts';
import type { Draft } from './draft.ts';

/** Keeps the session of a node with `session: persist` for the next time; only on the trunk, where there is but one. */
export function keepSession(draft: Draft, run: RunState, token: Token, session: SessionRef | null): void {
  const node = draft.plan.nodes[token.node];
  if (!isModelNode(node) || node.session !== 'persist' || token.branch !== null || session === null) return;
  run.slots = { ...run.slots, [slotOf(node)]: session };
}
