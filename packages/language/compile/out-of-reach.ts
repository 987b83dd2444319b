import type { Model } from './model.ts';
import type { Use } from './uses.ts';

/** Kinds of nodes whose prompts are made when they begin, at a place where the files of secrets are. */
const AT_WORK: readonly string[] = ['agent', 'judge', 'router'];

/**
 * What a reference asks for that cannot be had where it stands: an address at which somebody outside fetches a file, or the
 * path of a secret in what is worked out before anything begins. `null` for every other reference.
 */
export function outOfReach(model: Model, use: Pick<Use, 'in' | 'path' | 'consumer'>): string | null {
  const [namespace, , part] = use.path;
  if (namespace === 'attachments' && part === 'url') return 'addresses of attachments';
  if (namespace !== 'secrets' || part !== 'path' || use.in === 'tool') return null;
  const kind = model.nodes.get(use.consumer)?.syntax?.kind;
  if (use.in === 'prompt' && kind !== undefined && AT_WORK.includes(kind)) return null;
  return 'paths of secrets outside of commands, scripts and the prompts of agents';
}
