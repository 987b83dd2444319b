import type { SchemaSyntax } from '../parse/schema.ts';
import type { Model } from './model.ts';

/** What a review puts out: the action that was taken and the text that came with it. */
const REVIEW_FIELDS = ['action', 'feedback'] as const;

/** The schema of a node's output; null when it names none, or none that exists. */
export function outputSchema(model: Model, node: string): SchemaSyntax | null {
  return schemaFor(model, node, 'output');
}

/** The schema of a node's input; null when it names none, or none that exists. */
export function inputSchema(model: Model, node: string): SchemaSyntax | null {
  return schemaFor(model, node, 'input');
}

/** The fields of a node's output; `none` where it has no schema, `unknown` where that is not declared. */
export function outputFields(model: Model, node: string): readonly string[] | 'none' | 'unknown' {
  const syntax = model.nodes.get(node)?.syntax;
  if (syntax?.kind === 'review') return REVIEW_FIELDS;
  if (!syntax || syntax.kind === 'router' || syntax.kind === 'fail' || !syntax.properties.output)
    return 'none';
  return outputSchema(model, node)?.fields.map(field => field.name.value) ?? 'unknown';
}

function schemaFor(model: Model, node: string, side: 'input' | 'output'): SchemaSyntax | null {
  const syntax = model.nodes.get(node)?.syntax ?? null;
  if (syntax === null || syntax.kind === 'router' || syntax.kind === 'review' || syntax.kind === 'fail')
    return null;
  const named = syntax.properties[side];
  return named === undefined ? null : (model.schemas.get(named.value) ?? null);
}
