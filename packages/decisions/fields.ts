import type { Json, JsonSchema } from '@hearth/protocol/json.ts';
import { z } from 'zod';

/** Why `fields` do not fit `schema`, in one sentence; `null` when they fit. */
export function misfit(schema: JsonSchema, fields: Record<string, Json>): string | null {
  const result = z.fromJSONSchema(schema).safeParse(fields);
  if (result.success) return null;
  const issue = result.error.issues[0];
  if (issue === undefined) return 'the fields do not fit the schema';
  const where = issue.path.length === 0 ? 'the fields' : `"${issue.path.join('.')}"`;
  return `${where}: ${issue.message}`;
}
