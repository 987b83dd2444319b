import type { SchemaSyntax } from '../parse/schema.ts';
import type { Model } from './model.ts';

/** The schema of a node's output; null when it names none, or none that exists. */
export function outputSchema(model: Model, node: string): SchemaSyntax | null {
  return schemaFor(model, node, 'output');
}

/** The schema of a node's input; null when it names none, or none that exists. */
export function inputSchema(model: Model, node: string): SchemaSyntax | null {
  return schemaFor(model, node, 'input');
}

function schemaFor(model: Model, node: string, side: 'input' | 'output'): SchemaSyntax | null {
  const syntax = model.nodes.get(node)?.syntax ?? null;
  if (syntax === null || syntax.kind === 'router') return null;
  const named = syntax.properties[side];
  return named === undefined ? null : (model.schemas.get(named.value) ?? null);
}
