import { parseExpr } from '../expr/parser.ts';
import type { ActionSyntax, ModifierSyntax } from '../parse/actions.ts';
import type { AgentSyntax } from '../parse/agent.ts';
import type { ArtifactSyntax } from '../parse/artifact.ts';
import type { Action, Artifact } from '../plan/review.ts';
import type { Model } from './model.ts';

/** The output field that is an artifact's text, unless its declaration names another. */
const BODY = 'body';

/** The artifact that a declaration becomes in the plan. */
export function artifactOf({ name, properties }: ArtifactSyntax): Artifact {
  return {
    name: name.value,
    title: properties.title?.value ?? name.value,
    body: bodyField(properties),
    lint: properties.lint?.value ?? null,
    from: properties.from?.value.map(one => one.value) ?? [],
  };
}

/** The output field that is the text of an artifact: `body`, unless the file says another. */
export function bodyField({ body }: ArtifactSyntax['properties']): string {
  return body?.value ?? BODY;
}

/**
 * Whether words that are typed while a node runs must not reach it: it makes a declared artifact, or acts on confirmed
 * ones, and a person's passing remark may not become its authority.
 */
export function guardsOthersWords(
  model: Model,
  { publish, requires }: Pick<AgentSyntax['properties'], 'publish' | 'requires'>,
): boolean {
  return requires !== undefined || (publish !== undefined && model.artifacts.has(publish.value));
}

/** The actions of a review or a human node, in the order that decides between them. */
export function actionsOf(actions: readonly ActionSyntax[]): readonly Action[] {
  return actions.map(actionOf);
}

function actionOf({ name, label, modifiers }: ActionSyntax): Action {
  const has = (flag: ModifierSyntax['is']): boolean => modifiers.some(one => one.is === flag);
  const target = (word: 'reopens' | 'notes' | 'aside' | 'says'): string | null =>
    modifiers.flatMap(one => (one.is === word ? [one.target.value] : [])).at(-1) ?? null;
  return {
    name: name.value,
    label: label.value,
    needs: has('feedback') ? 'feedback' : 'nothing',
    button: !has('text'),
    assent: has('assent'),
    confirms: has('confirms'),
    stops: has('stops'),
    reopens: target('reopens'),
    notes: target('notes'),
    aside: target('aside'),
    says: target('says'),
    when: whenOf(modifiers),
  };
}

function whenOf(modifiers: readonly ModifierSyntax[]): Action['when'] {
  const source = modifiers.flatMap(one => (one.is === 'when' ? [one.expr.value] : [])).at(-1);
  const parsed = source === undefined ? undefined : parseExpr(source);
  return source !== undefined && parsed?.ok ? { expr: parsed.expr, source } : null;
}
