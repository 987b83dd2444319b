import type { SchemaSyntax } from '../parse/schema.ts';

/** The field that a message fills: the only one of its schema, a string that may hold any text. Else null. */
export function chatField(schema: SchemaSyntax | null): string | null {
  const [field, ...others] = schema?.fields ?? [];
  const free = field?.type === 'string' && field.enum === undefined;
  return field && free && others.length === 0 ? field.name.value : null;
}
