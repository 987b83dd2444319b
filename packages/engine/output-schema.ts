import { schemaOf } from '@hearth/language/json-schema.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { schemaNamed } from './routes.ts';
import type { Plan } from './runnable.ts';

/** The JSON Schema of a plan's schema, as plain JSON; `null` when there is none by that name. */
export function outputSchema(plan: Plan, name: string | null): JsonObject | null {
  const schema = schemaNamed(plan, name);
  if (schema === null) return null;
  const json: JsonObject = JSON.parse(JSON.stringify(schemaOf(schema)));
  return json;
}
