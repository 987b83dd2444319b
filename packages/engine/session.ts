import type { Value } from '@hearth/language/value.ts';
import type { Recap, SessionStart } from './backend.ts';
import type { Effect } from './machine.ts';
import type { ModelNode, Plan } from './runnable.ts';
import type { RunState, SessionRef } from './state.ts';

/*
 * How an agent's session begins (docs/adr/0019). Only the input map and the slots that the run keeps carry a session. An id
 * is trusted when it is the stamp of exactly one session that an agent's last output carries; what a prompt, a literal, a
 * person or another kind of node put there names nothing and is told.
 */

/** The session to begin with, and why it is less than what the node asks for; or why the node does not start. */
export type Beginning =
  | { readonly start: SessionStart; readonly degraded?: string }
  | { readonly refused: string };

/** What is known when a session begins. `signer` is the fingerprint of whoever would sign now; `null`: not known. */
export interface Known {
  readonly plan: Plan;
  readonly run: RunState;
  readonly recap: Recap;
  readonly signer: string | null;
}

/**
 * A broken or parked effect goes on in the session that it recorded. Else the node's mode decides. A session that cannot
 * be had is refused where the node insists on it (`inherit`, `fork`), and replaced and told where it does not.
 */
export function sessionStart(node: ModelNode, effect: Effect, known: Known): Beginning {
  const { recap } = known;
  const resumed = ({ id, fingerprint }: SessionRef, strict: boolean): Beginning => ({
    start: { mode: 'resume', id, fingerprint, strict, recap },
  });
  const reseed = effect.resume?.reseed;
  if (reseed !== undefined) return { start: { mode: 'fresh', recap: latest(recap, reseed) }, degraded: LONG };
  const recorded = effect.resume?.session ?? null;
  if (recorded !== null) return resumed(recorded, node.session === 'inherit');
  if (node.session === 'fresh' || node.session === 'artifacts_only') return { start: { mode: 'fresh' } };
  if (node.session === 'persist') {
    const kept = effect.branch === null ? known.run.slots?.[slotOf(node)] : undefined;
    return kept === undefined ? { start: { mode: 'fresh' } } : resumed(kept, false);
  }
  const carried = carriedSession(effect, known);
  if (carried === null) return { start: { mode: 'fresh' } };
  if ('untrusted' in carried) {
    if (node.session !== 'inherit_if_available') return { refused: carried.untrusted };
    return { start: { mode: 'fresh', recap }, degraded: carried.untrusted };
  }
  return node.session === 'fork'
    ? forked(effect, carried, known)
    : resumed(carried, node.session === 'inherit');
}

const LONG = 'The session no longer fits into the model; a new one knows only the latest words.';

/** Of a recap that was too long, the latest half, quarter and so on. */
function latest({ turns }: Recap, reseed: number): Recap {
  const kept = Math.floor(turns.length / 2 ** reseed);
  return { turns: kept === 0 ? [] : turns.slice(-kept) };
}

/** The slot in which the run keeps a node's session. */
export function slotOf(node: Pick<ModelNode, 'name' | 'sessionSlot'>): string {
  return node.sessionSlot ?? node.name;
}

/** A copy that another signer must go on with would be refused by its provider, so the parent is left alone. */
function forked(effect: Effect, { id, fingerprint }: SessionRef, { recap, signer }: Known): Beginning {
  if (!named(effect.input['_session_fingerprint'])) {
    return dropped('no edge brings the fingerprint of the session to copy');
  }
  if (signer !== null && signer !== fingerprint) {
    return dropped('the session to copy was signed by another provider');
  }
  return { start: { mode: 'fork', id, fingerprint, strict: true, recap } };
}

function dropped(why: string): Beginning {
  return { start: { mode: 'fresh' }, degraded: `The session is a new one: ${why}.` };
}

function carriedSession(
  effect: Effect,
  { plan, run }: Known,
): SessionRef | { readonly untrusted: string } | null {
  const { _session_id: id, _session_fingerprint: fingerprint } = effect.input;
  if (!named(id)) return null;
  const stamps = new Set<string>();
  for (const [name, output] of Object.entries(run.outputs)) {
    const signed = output['_session_fingerprint'];
    if (!STAMPED.has(plan.nodes[name]?.kind ?? '') || output['_session_id'] !== id) continue;
    if (named(signed) && (!named(fingerprint) || fingerprint === signed)) stamps.add(signed);
  }
  const [stamp, ...others] = stamps;
  if (stamp !== undefined && others.length === 0) return { id, fingerprint: stamp };
  const why =
    stamp === undefined
      ? 'no agent of this run has given it'
      : 'agents of this run give it with different signers';
  return { untrusted: `The session that the input of "${effect.node}" names is not taken: ${why}.` };
}

/** Kinds of nodes whose outputs the engine itself stamps with a session. */
const STAMPED: ReadonlySet<string> = new Set(['agent', 'judge']);

function named(value: Value | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
