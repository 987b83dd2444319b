import type { Outcome } from './entry.ts';
import type { EffectOptions } from './running-effect.ts';
import type { ModelNode } from './runnable.ts';
import { type GivenSecrets, secretEnvironment } from './secret-source.ts';
import { grantedServed, serversOf } from './served.ts';
import type { Tool } from './tool.ts';

/** Under what the tool servers of a node are connected. */
export interface ServedWork {
  readonly workspace: string;
  readonly secrets: GivenSecrets;
  /** The service goes down: the work rejects then. */
  readonly abort: AbortSignal;
  /** The turn was interrupted: its outcome is that it was stopped. */
  readonly stop: AbortSignal;
}

/** Does the work of a node while its tool servers are connected. A server that cannot be used fails the node. */
export async function withServers(
  { drive, surroundings }: EffectOptions,
  node: ModelNode,
  { workspace, secrets, abort, stop }: ServedWork,
  work: (tools: readonly Tool[]) => Promise<Outcome>,
): Promise<Outcome> {
  const servers = serversOf(drive.plan, node);
  if (servers.length === 0) return work([]);
  try {
    if (surroundings === undefined) throw new Error('This service connects to no tool servers.');
    const env = secretEnvironment(drive.plan.secrets ?? [], secrets);
    const signal = AbortSignal.any([abort, stop]);
    const served = await surroundings.servers.connect(servers, workspace, signal, env);
    try {
      return await work(grantedServed(node, served));
    } finally {
      await served.close();
    }
  } catch (error) {
    if (abort.aborted || drive.broken()) throw error;
    if (stop.aborted) return { is: 'stopped' };
    const message = error instanceof Error ? error.message : 'A tool server cannot be used.';
    return { is: 'failed', code: 'tool_server', message, began: false };
  }
}
