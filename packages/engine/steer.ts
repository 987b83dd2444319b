import { isModelNode, type Plan } from './runnable.ts';
import type { EffectId } from '@hearth/protocol/ids.ts';
import type { QueuedMessage, State } from './state.ts';

/**
 * The queued messages that may join the running agent at its next tool boundary, in order: they ask to steer, their
 * workspace is the turn's, and the agent's node takes messages (`inbox: on`). Nothing may overtake: a queued message
 * that may not join keeps those behind it waiting too. Of several agents that run in branches they join the first; with
 * `effect`, those that join that one.
 */
export function steerable(plan: Plan, state: State, effect?: EffectId): readonly QueuedMessage[] {
  const { run, turn } = state.machine;
  if (run === null || turn === null) return [];
  const [takes] = run.tokens.flatMap(({ node: name, stage, beside }) => {
    const node = plan.nodes[name];
    const open =
      stage.is === 'running' && !stage.interrupted && stage.asking === undefined && beside === undefined;
    return open && isModelNode(node) && node.inbox === 'on' ? [stage.effect] : [];
  });
  if (takes === undefined || (effect !== undefined && effect !== takes)) return [];
  const stop = state.inbox.findIndex(
    message => message.delivery !== 'steer' || (message.workspace ?? turn.workspace) !== turn.workspace,
  );
  return stop < 0 ? state.inbox : state.inbox.slice(0, stop);
}
