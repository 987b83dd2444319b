import type { Plan } from './runnable.ts';
import type { QueuedMessage, State } from './state.ts';

/**
 * The queued messages that may join the running agent at its next tool boundary, in order: they ask to steer, their
 * workspace is the turn's, and the agent's node takes messages (`inbox: on`). Nothing may overtake: a queued message
 * that may not join keeps those behind it waiting too.
 */
export function steerable(plan: Plan, state: State): readonly QueuedMessage[] {
  const { run, turn } = state.machine;
  if (run === null || turn === null) return [];
  const takes = run.tokens.some(({ node: name, stage }) => {
    const node = plan.nodes[name];
    return stage.is === 'running' && !stage.interrupted && node?.kind === 'agent' && node.inbox === 'on';
  });
  if (!takes) return [];
  const stop = state.inbox.findIndex(
    message => message.delivery !== 'steer' || (message.workspace ?? turn.workspace) !== turn.workspace,
  );
  return stop < 0 ? state.inbox : state.inbox.slice(0, stop);
}
