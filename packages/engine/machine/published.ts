import type { Values } from '@hearth/language/value.ts';
import { findingsOf } from '@hearth/decisions/lint.ts';
import type { ArtifactMaker } from '@hearth/protocol/artifact.ts';
import { canonicalJson } from '@hearth/protocol/json.ts';
import { declared } from '../document.ts';
import { placeOf } from '../frame.ts';
import { isModelNode, type Plan } from '../runnable.ts';
import type { RunState, Token } from '../state.ts';
import { publishDocument, textIn } from './documents.ts';
import type { Draft } from './draft.ts';

/**
 * Publishes what a node gave under the name that it has for it (`publish`): the next version, counted from 1 and never
 * reused, its body a blob that is durable before the commit. The state keeps the latest body only where the plan reads it,
 * so it does not grow with the versions. Of an artifact that the plan declares it keeps what a review needs; a blank text of
 * one publishes nothing. What the engine itself noted on an output (`_tokens`) is no part of the document.
 */
export function publish(
  draft: Draft,
  run: RunState,
  token: Token,
  output: Values,
  made: Pick<ArtifactMaker, 'effect' | 'backend' | 'model' | 'session'> = BY_A_PERSON,
): void {
  const node = draft.plan.nodes[token.node];
  const name = node !== undefined && 'publish' in node ? node.publish : null;
  if (name === null) return;
  const artifact = declared(draft.plan, name);
  if (artifact !== null) {
    const body = textIn(artifact, output);
    if (body === null) return;
    const findings = findingsOf(artifact.lint, body);
    publishDocument(draft, run, artifact, { body, findings, madeBy: { node: token.node, ...made } });
    return;
  }
  const body = Object.fromEntries(Object.entries(output).filter(([key]) => !key.startsWith('_')));
  const { counters } = draft.state;
  const version = (counters.artifacts?.[name] ?? 0) + 1;
  counters.artifacts = { ...counters.artifacts, [name]: version };
  const digest = draft.blob(canonicalJson(body));
  draft.emit(
    { type: 'artifact', ref: { artifact: name, version, digest }, change: 'published', from: [] },
    token,
  );
  if (!artifactsRead(draft.plan).has(name) && !readsAll(draft.plan)) return;
  const place = placeOf(run, token.branch);
  place.artifacts = { ...place.artifacts, [name]: body };
}

const BY_A_PERSON = { effect: '', backend: null, model: null, session: null } as const;

const read = new WeakMap<Plan, ReadonlySet<string>>();

/** Whether an agent of the plan knows of nothing but what is published. */
function readsAll({ nodes }: Plan): boolean {
  return Object.values(nodes).some(node => isModelNode(node) && node.session === 'artifacts_only');
}

/** The artifacts that a template or an expression of the plan reads. */
function artifactsRead(plan: Plan): ReadonlySet<string> {
  const found = read.get(plan) ?? new Set(namesIn([plan.prompts, plan.nodes, plan.edges]));
  read.set(plan, found);
  return found;
}

function namesIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  if (Array.isArray(part)) return part.flatMap(namesIn);
  if ('path' in part && Array.isArray(part.path)) {
    const [root, name]: unknown[] = part.path;
    return root === 'artifacts' && typeof name === 'string' ? [name] : [];
  }
  return Object.values(part).flatMap(namesIn);
}
