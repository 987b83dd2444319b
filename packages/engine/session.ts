import type { AgentNode } from '@hearth/language/plan/node.ts';
import type { Recap, SessionStart } from './backend.ts';
import type { Effect } from './machine.ts';
import type { RunState, SessionRef } from './state.ts';

/**
 * How an agent's session begins. A broken or parked effect goes on in the session that it recorded. Else the node's
 * mode decides, and only the input map carries a session: the ids must stand together on one node's last output,
 * so that neither a prompt nor a literal can name somebody else's (docs/adr/0019).
 */
export function sessionStart(node: AgentNode, effect: Effect, run: RunState, recap: Recap): SessionStart {
  const strict = node.session === 'inherit';
  const recorded = effect.resume?.session ?? null;
  if (recorded !== null) return { mode: 'resume', ...recorded, strict, recap };
  if (node.session === 'fresh' || node.session === 'artifacts_only') return { mode: 'fresh' };
  const carried = carriedSession(effect, run);
  if (carried === null) return { mode: 'fresh' };
  return { mode: node.session === 'fork' ? 'fork' : 'resume', ...carried, strict, recap };
}

function carriedSession(effect: Effect, run: RunState): SessionRef | null {
  const { _session_id: id, _session_fingerprint: fingerprint } = effect.input;
  if (typeof id !== 'string' || id === '' || typeof fingerprint !== 'string') return null;
  const stamped = Object.values(run.outputs).some(
    output => output['_session_id'] === id && output['_session_fingerprint'] === fingerprint,
  );
  return stamped ? { id, fingerprint } : null;
}
