import { JsonObject } from '@hearth/protocol/json.ts';

/*
 * The provider takes a form of an answer only in a strict dialect: every property required, nothing else allowed, and no
 * value of any kind at all. What may be anything is asked for as JSON in a text; whoever fits the answer reads it so.
 */

const ANYTHING: JsonObject = { type: ['string', 'null'], description: 'Any JSON value, written as text.' };

/** The same form in the strict dialect. */
export function strictSchema(schema: JsonObject): JsonObject {
  const { type, properties, items, enum: values, description } = schema;
  const said = typeof description === 'string' ? { description } : {};
  if (type === 'object' && JsonObject.safeParse(properties).success) {
    const inner = Object.entries(JsonObject.parse(properties)).map(
      ([name, one]) => [name, inside(one)] as const,
    );
    return {
      type,
      properties: Object.fromEntries(inner),
      required: inner.map(([name]) => name),
      additionalProperties: false,
      ...said,
    };
  }
  if (type === 'array') return { type, items: inside(items), ...said };
  if (typeof type !== 'string' || type === 'object') return { ...ANYTHING, ...said };
  return { type, ...(Array.isArray(values) ? { enum: values } : {}), ...said };
}

function inside(schema: unknown): JsonObject {
  const read = JsonObject.safeParse(schema);
  return read.success ? strictSchema(read.data) : ANYTHING;
}
