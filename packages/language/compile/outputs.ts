import type { FieldSyntax, SchemaSyntax } from '../parse/schema.ts';
import type { Model, NodeDeclaration } from './model.ts';

/** The fields of a schema by name; of a name the first. */
export type Fields = ReadonlyMap<string, FieldSyntax | null>;

/** What a review puts out: the action that was taken and the text that came with it. */
const REVIEW_FIELDS: Fields = new Map([
  ['action', null],
  ['feedback', null],
]);

/** What a wait for answers puts out: the answers that there are, and the ids of questions that are still open. */
const ANSWER_FIELDS: Fields = new Map([
  ['answers', null],
  ['open', null],
]);

/** The schema of a node's output; null when it names none, or none that exists. */
export function outputSchema(model: Model, node: string): SchemaSyntax | null {
  return schemaFor(model, node, 'output');
}

/** The schema of a node's input; null when it names none, or none that exists. */
export function inputSchema(model: Model, node: string): SchemaSyntax | null {
  return schemaFor(model, node, 'input');
}

const known = new WeakMap<SchemaSyntax, Fields>();

/** The fields of a schema. Every reference asks, so the answer is remembered. */
export function fieldsOf(schema: SchemaSyntax): Fields {
  const found = known.get(schema) ?? new Map(schema.fields.toReversed().map(one => [one.name.value, one]));
  known.set(schema, found);
  return found;
}

/** The fields of a node's output; `none` where it has no schema, `unknown` where that is not declared. */
export function outputFields(model: Model, node: string): Fields | 'none' | 'unknown' {
  const syntax = model.nodes.get(node)?.syntax;
  if (syntax?.kind === 'review') return REVIEW_FIELDS;
  if (syntax?.kind === 'await_answers') return ANSWER_FIELDS;
  if (!syntax || !hasSchemas(syntax) || !syntax.properties.output) return 'none';
  const schema = outputSchema(model, node);
  return schema === null ? 'unknown' : fieldsOf(schema);
}

function schemaFor(model: Model, node: string, side: 'input' | 'output'): SchemaSyntax | null {
  const syntax = model.nodes.get(node)?.syntax ?? null;
  if (syntax === null || !hasSchemas(syntax)) return null;
  const named = syntax.properties[side];
  return named === undefined ? null : (model.schemas.get(named.value) ?? null);
}

/** A declaration that may name schemas. */
type Shaped = Exclude<NodeDeclaration, { readonly kind: 'router' | 'review' | 'fail' | 'await_answers' }>;

/** Whether a node may name the schemas of its input and output. */
export function hasSchemas(syntax: NodeDeclaration): syntax is Shaped {
  return !['router', 'review', 'fail', 'await_answers'].includes(syntax.kind);
}
