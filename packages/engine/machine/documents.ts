import type { Artifact } from '@hearth/language/plan/review.ts';
import type { Values } from '@hearth/language/value.ts';
import type { ArtifactMaker, ArtifactRef, Finding } from '@hearth/protocol/artifact.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import { type Change, type Document, documentOf, EARLIER_KEPT, madeFrom } from '../document.ts';
import { digestOf } from '../long-text.ts';
import type { RunState } from '../state.ts';
import type { Draft } from './draft.ts';

/*
 * What becomes of the versions of declared artifacts. A version is whole and never changes; what is made from one that no
 * longer counts is invalid at once, before anything new is there.
 */

type Told = Extract<EventBody, { type: 'artifact' }>['change'];

/** The text that a node's output has for an artifact; `null` when it is blank, which publishes nothing. */
export function textIn(artifact: Artifact, output: Values): string | null {
  const text = Object.hasOwn(output, artifact.body) ? output[artifact.body] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

/** Publishes the next version: it is pending, replaces the one before, and ends the change that asked for it. */
export function publishDocument(
  draft: Draft,
  run: RunState,
  artifact: Artifact,
  made: { readonly body: string; readonly madeBy: ArtifactMaker; readonly findings: readonly Finding[] },
): void {
  const { name } = artifact;
  const document = ensured(run, name);
  const { counters } = draft.state;
  const version = (counters.artifacts?.[name] ?? 0) + 1;
  counters.artifacts = { ...counters.artifacts, [name]: version };
  const ref: ArtifactRef = { artifact: name, version, digest: digestOf(made.body) };
  const from = artifact.from.flatMap(source => documentOf(run, source)?.current ?? []);
  const { change } = document;
  if (document.current !== null) {
    if (counts(document)) tell(draft, document, 'superseded');
    document.earlier = [...document.earlier, document.current.version].slice(-EARLIER_KEPT);
  }
  document.current = ref;
  document.status = 'pending';
  document.body = made.body;
  document.from = from;
  document.findings = [...made.findings];
  document.change = null;
  if (change !== null && change.notes !== null) note(run, change.notes, change.feedback);
  draft.keep({
    ref,
    body: made.body,
    from,
    madeBy: made.madeBy,
    findings: [...made.findings],
    feedback: change === null || change.feedback === '' ? null : change.feedback,
    at: draft.at,
  });
  tell(draft, document, 'published');
  invalidateMadeFrom(draft, run, name, 'replaced');
}

/** Freezes the version that was shown. */
export function confirm(draft: Draft, document: Document): void {
  if (document.current === null) return;
  document.status = 'confirmed';
  tell(draft, document, 'confirmed');
}

/** A change was asked for: the artifact is pending and what was made from it is invalid, both at once. */
export function reopen(draft: Draft, run: RunState, name: string, asked: Omit<Change, 'invalidated'>): void {
  const document = ensured(run, name);
  if (document.status === 'confirmed' && document.current !== null)
    tell(draft, document, 'invalidated', 'change_asked');
  document.status = 'pending';
  document.change = { ...asked, invalidated: invalidateMadeFrom(draft, run, name, 'change_asked') };
}

/** A change is given up: what it touched is pending again, so each needs a confirmation of its own. */
export function withdrawChange(draft: Draft, run: RunState, name: string): void {
  const document = documentOf(run, name);
  if (document?.change == null) return;
  const { invalidated } = document.change;
  document.change = null;
  for (const one of [document, ...invalidated.flatMap(other => documentOf(run, other) ?? [])]) {
    if (one.current === null || (one !== document && one.status !== 'invalidated')) continue;
    one.status = 'pending';
    tell(draft, one, 'withdrawn', 'change_withdrawn');
  }
}

/** Adds a person's words for whoever makes the artifact. */
export function note(run: RunState, name: string, words: string): void {
  if (words.trim() !== '') ensured(run, name).notes.push(words);
}

/** Closes the case of these artifacts: their versions, notes and pending changes are done with. */
export function closeDocuments(draft: Draft, run: RunState, names: readonly string[], why: string): void {
  for (const name of names) {
    const document = documentOf(run, name);
    if (document === undefined) continue;
    if (document.current !== null && document.status !== 'closed') {
      document.status = 'closed';
      tell(draft, document, 'closed', why);
    }
    document.change = null;
    document.notes = [];
  }
}

/** Begins a new case of these artifacts and of what is made from them; nothing of the old one is carried over. */
export function openCase(draft: Draft, run: RunState, names: readonly string[]): void {
  const all = [...new Set(names.flatMap(name => [name, ...madeFrom(draft.plan, name)]))];
  closeDocuments(draft, run, all, 'new_case');
  for (const name of all) if (run.documents !== undefined) delete run.documents[name];
}

function invalidateMadeFrom(draft: Draft, run: RunState, name: string, why: string): string[] {
  return madeFrom(draft.plan, name).filter(other => {
    const document = documentOf(run, other);
    if (document === undefined || !counts(document)) return false;
    document.status = 'invalidated';
    document.change = null;
    tell(draft, document, 'invalidated', why);
    return true;
  });
}

function counts({ current, status }: Document): boolean {
  return current !== null && (status === 'pending' || status === 'confirmed');
}

function tell(draft: Draft, { current, from }: Document, change: Told, why?: string): void {
  if (current === null) return;
  const said = why === undefined ? {} : { why };
  draft.emit({ type: 'artifact', ref: current, change, from, ...said });
}

function ensured(run: RunState, name: string): Document {
  const documents = (run.documents ??= {});
  const found = documentOf(run, name);
  if (found !== undefined) return found;
  const made: Document = {
    current: null,
    status: 'pending',
    body: '',
    from: [],
    findings: [],
    earlier: [],
    notes: [],
    change: null,
    review: null,
  };
  documents[name] = made;
  return made;
}
