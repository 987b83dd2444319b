import type { Values } from '@hearth/language/value.ts';
import { canTake } from '../edges.ts';
import { edgeOn } from '../document.ts';
import type { RunState, Token } from '../state.ts';
import { insideBranch } from './branch.ts';
import { frameOf } from '../frame.ts';
import type { Draft } from './draft.ts';
import { requeue, unseenOf } from './drop.ts';
import { follow, holdExhausted, settleAt } from './flow.ts';

/* Edges that are taken because something happened at their node: an action of a person, a failure, an interrupt. */

/** Takes a token along the edge `on` what happened; `false` when its node has none. */
export function takeOn(draft: Draft, run: RunState, token: Token, name: string, output: Values): boolean {
  const { plan } = draft;
  const edge = edgeOn(plan, token.node, name);
  if (edge === undefined) return false;
  requeue(draft, unseenOf(token));
  settleAt(run, token, output);
  delete token.on;
  const inside = insideBranch(plan, run, token.branch);
  if (canTake(plan, frameOf(run, token.branch), edge, inside)) follow(draft, run, token, edge, output);
  else {
    token.on = name;
    holdExhausted(draft, token, edge.loop ?? '');
  }
  return true;
}
