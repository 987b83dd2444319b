import { canonicalJson } from '@hearth/protocol/json.ts';
import type { Digest, EffectId } from '@hearth/protocol/ids.ts';
import type { BackendTurn } from './backend.ts';
import { backendTurn } from './backend-turn.ts';
import type { Entry } from './entry.ts';
import { frameOf } from './frame.ts';
import { digestOf } from './long-text.ts';
import { apply, ready } from './machine.ts';
import { isModelNode, type Plan } from './runnable.ts';
import type { State } from './state.ts';

/*
 * What a call is told of the conversation is a function of the plan and of the entries before it. So it need not be kept to
 * be looked at, and its digest, which the journal keeps, proves that what is rebuilt is what was sent.
 */

/** What a node's call was told, and the shape that was asked of its answer. */
export interface Projection {
  readonly effect: EffectId;
  readonly node: string;
  readonly system: string;
  readonly user: string;
  readonly digest: Digest;
}

/** The digest of what a call is told: its prompts and the shape of its answer, over canonical JSON. */
export function projectionDigest({ prompt, output }: Pick<BackendTurn, 'prompt' | 'output'>): Digest {
  return digestOf(canonicalJson({ system: prompt.system, user: prompt.user, output }));
}

/**
 * Rebuilds what each agent and judge was told by a run's entries, in order; `before` is the state in which the first entry
 * was applied. Files that came with a message are at paths of the home they are in, and cursors of a bot are read from the
 * environment: where there are such, the digest differs.
 */
export function projectionsOf(plan: Plan, before: State, entries: readonly Entry[]): readonly Projection[] {
  const found: Projection[] = [];
  let state = before;
  for (const entry of entries) {
    if (entry.is === 'intended') found.push(...projectionAt(plan, state, entry.effect.id));
    state = apply(plan, state, entry);
  }
  return found;
}

function projectionAt(plan: Plan, state: State, id: EffectId): readonly Projection[] {
  const { run, turn } = state.machine;
  const effect = ready(plan, state).find(one => one.id === id);
  const node = effect === undefined ? undefined : plan.nodes[effect.node];
  if (run === null || effect === undefined || !isModelNode(node)) return [];
  const given = backendTurn({
    plan,
    run: frameOf(run, effect.branch),
    ledgers: state.ledgers,
    turn,
    node,
    effect,
    session: { mode: 'fresh' },
    tools: [],
    model: { model: '', provider: null, effort: null },
    directory: '',
    workspace: turn?.workspace ?? '',
    task: null,
    permission: { mode: 'off', allow: [], ask: [], deny: [] },
    calibration: '',
    files: [],
    secretPaths: new Map(),
  });
  const { system, user } = given.prompt;
  return [{ effect: id, node: node.name, system, user, digest: projectionDigest(given) }];
}
