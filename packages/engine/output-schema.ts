import { schemaOf } from '@hearth/language/json-schema.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import type { Plan } from './runnable.ts';

/** The JSON Schema of a plan's schema, as plain JSON; `null` when there is none by that name. */
export function outputSchema(plan: Plan, name: string | null): JsonObject | null {
  const schema = name === null ? undefined : plan.schemas[name];
  if (schema === undefined) return null;
  const json: JsonObject = JSON.parse(JSON.stringify(schemaOf(schema)));
  return json;
}
