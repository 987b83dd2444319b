import type { ReviewNode } from '@hearth/language/plan/node.ts';
import type { Action, Artifact } from '@hearth/language/plan/review.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { ArtifactRef, ArtifactStatus, Finding } from '@hearth/protocol/artifact.ts';
import { digestOf } from './long-text.ts';
import type { Plan } from './runnable.ts';
import type { RunState } from './state.ts';

/*
 * What a run knows of the artifacts that its plan declares, and the questions that are asked of it. A version counts only
 * while nothing of what it was made from has changed since.
 */

/** A declared artifact in a run. */
export interface Document {
  /** The version that counts now; `null` before the first of a case. */
  current: ArtifactRef | null;
  status: ArtifactStatus;
  /** The text of the current version. */
  body: string;
  /** What the current version was made from. */
  from: ArtifactRef[];
  findings: Finding[];
  /** Earlier versions of this case, the latest `EARLIER_KEPT` of them. */
  earlier: number[];
  /** A person's words for whoever makes it, in order. */
  notes: string[];
  /** A change that was asked for and has no version yet; nothing may be confirmed or done meanwhile. */
  change: Change | null;
  /** The review that showed it last. */
  review: string | null;
}

/** What a person asked to be changed. */
export interface Change {
  readonly action: string;
  readonly feedback: string;
  /** The artifact to whose notes the words are added once the replacement is there. */
  readonly notes: string | null;
  /** Artifacts that it made invalid. */
  readonly invalidated: readonly string[];
  readonly by: Actor;
}

/** How many earlier versions a card names. */
export const EARLIER_KEPT = 50;

/** The document of a name; `undefined` when nothing has been done with it in this run. */
export function documentOf(run: RunState, name: string): Document | undefined {
  return run.documents !== undefined && Object.hasOwn(run.documents, name) ? run.documents[name] : undefined;
}

/** A declared artifact of the plan. */
export function declared(plan: Plan, name: string | null): Artifact | null {
  return name !== null && plan.artifacts !== undefined && Object.hasOwn(plan.artifacts, name)
    ? (plan.artifacts[name] ?? null)
    : null;
}

/** The declared artifact that a node makes; `null` when it makes none. */
export function publishes(plan: Plan, node: string): string | null {
  const found = Object.hasOwn(plan.nodes, node) ? plan.nodes[node] : undefined;
  const name = found !== undefined && 'publish' in found ? found.publish : null;
  return declared(plan, name)?.name ?? null;
}

/** The artifacts that are made from this one, directly or over others. */
export function madeFrom(plan: Plan, name: string): readonly string[] {
  const found = new Set<string>();
  const left = [name];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const other of Object.values(plan.artifacts ?? {})) {
      if (!other.from.includes(at) || found.has(other.name)) continue;
      found.add(other.name);
      left.push(other.name);
    }
  }
  return [...found];
}

/** The artifacts of one case: those that it is made from or that are made from it, over any number of others. */
export function caseOf(plan: Plan, name: string): readonly string[] {
  const found = new Set([name]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const other of Object.values(plan.artifacts ?? {})) {
      if (found.has(other.name) || other.from.some(one => found.has(one)))
        for (const one of [other.name, ...other.from]) found.add(one);
    }
  }
  return [...found];
}

/** Whether the version may be confirmed or acted on as far as what it was made from goes; else why not, for a person. */
export function strayFrom(plan: Plan, run: RunState, document: Document): string | null {
  for (const ref of document.from) {
    const source = documentOf(run, ref.artifact);
    const title = declared(plan, ref.artifact)?.title ?? ref.artifact;
    if (source?.current == null || !sameRef(source.current, ref) || source.change !== null)
      return `"${title}", which it was made from, has changed`;
    if (source.status !== 'confirmed' && isConfirmedSomewhere(plan, ref.artifact))
      return `"${title}", which it was made from, is not confirmed`;
  }
  return null;
}

/** Why a node that requires an artifact may not act on it, for a person; `null` when it may. */
export function unmet(plan: Plan, run: RunState, name: string): string | null {
  const document = documentOf(run, name);
  const title = declared(plan, name)?.title ?? name;
  if (document?.current == null) return `There is no "${title}" yet`;
  if (document.change !== null) return `A change of "${title}" is pending`;
  if (document.status !== 'confirmed') return `"${title}" is not confirmed`;
  if (digestOf(document.body) !== document.current.digest)
    return `"${title}" is not the text that was confirmed`;
  const stray = strayFrom(plan, run, document);
  return stray === null ? null : `"${title}" does not count: ${stray}`;
}

/** The action of a name at a place where a person may act; `null` when the plan has none. */
export function actionAt(plan: Plan, node: string, name: string): Action | null {
  return actionsAt(plan, node).find(action => action.name === name) ?? null;
}

/** What a person may do at a node, in the order of the plan; nothing where no person acts. */
export function actionsAt(plan: Plan, node: string): readonly Action[] {
  const found = Object.hasOwn(plan.nodes, node) ? plan.nodes[node] : undefined;
  if (found?.kind === 'review') return found.actions;
  return found?.kind === 'human' ? (found.actions ?? []) : [];
}

/** The edge that an action, or an end of a node that is no output, takes. */
export function edgeOn(plan: Plan, node: string, name: string) {
  return plan.edges.find(edge => edge.from === node && edge.on === name);
}

/**
 * Whether an action asks for another version of what is shown, or of what it reopens: it leads on with a person's words, and
 * neither confirms nor closes.
 */
export function isRevision(plan: Plan, node: string, action: Action): boolean {
  if (action.confirms || action.stops || action.aside !== null || action.says !== null) return false;
  const edge = edgeOn(plan, node, action.name);
  if (edge === undefined || (edge.opens ?? []).length > 0) return false;
  return action.needs === 'feedback' || action.reopens !== null;
}

/** The reviews of an artifact, in the order of the plan. */
export function reviewsOf(plan: Plan, artifact: string): readonly ReviewNode[] {
  return Object.values(plan.nodes).flatMap(node =>
    node.kind === 'review' && node.artifact === artifact ? [node] : [],
  );
}

/** Whether both name the same bytes of the same version: the digest counts too. */
export function sameRef(a: ArtifactRef, b: ArtifactRef): boolean {
  return a.artifact === b.artifact && a.version === b.version && a.digest === b.digest;
}

function isConfirmedSomewhere(plan: Plan, artifact: string): boolean {
  return reviewsOf(plan, artifact).some(({ actions }) => actions.some(action => action.confirms));
}
