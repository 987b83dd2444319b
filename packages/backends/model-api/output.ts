import { type Json, JsonObject } from '@hearth/protocol/json.ts';
import { z } from 'zod';

/*
 * Fits what a model answered to the output's schema, as tolerantly as the meaning allows: values that arrived as text
 * are read, a field that may hold anything may be missing, extra fields pass. What still does not fit is said in a
 * sentence that the model can act on. Pure.
 */

/** The output in the form of its schema, or what is wrong with it in words for the model. */
export type Fitted =
  | { readonly ok: true; readonly output: JsonObject }
  | { readonly ok: false; readonly why: string };

const Schema = z.looseObject({
  type: z.string().exactOptional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  items: z.unknown().optional(),
  enum: z.array(z.string()).exactOptional(),
});
type Schema = z.infer<typeof Schema>;
const ANYTHING: Schema = { properties: {}, required: [] };

/** Fits an object to a schema of the language's kind. */
export function fitted(schema: unknown, value: unknown): Fitted {
  const { properties, required } = schemaOf(schema);
  const object = JsonObject.safeParse(value);
  if (!object.success) return { ok: false, why: 'it is no JSON object' };
  const output: JsonObject = { ...object.data };
  for (const [name, inner] of Object.entries(properties)) {
    const field = schemaOf(inner);
    const given = Object.hasOwn(output, name) ? output[name] : undefined;
    if (given === undefined && !required.includes(name)) continue;
    if (given === undefined && field.type !== undefined) return { ok: false, why: `"${name}" is missing` };
    const read = readAs(field, given ?? null);
    const wrong = misfit(field, read);
    if (wrong !== null) return { ok: false, why: `"${name}" ${wrong}` };
    output[name] = read;
  }
  return { ok: true, output };
}

/** The object in a text: the text itself, one in a fence, or the outermost braces. `null` when there is none. */
export function objectIn(text: string): JsonObject | null {
  const fenced = /```(?:json)?[ \t\r]*\n([\s\S]*?)\n?```/.exec(text)?.[1];
  const braced = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, fenced, braced]) {
    const read = JsonObject.safeParse(parsed(candidate ?? ''));
    if (read.success) return read.data;
  }
  return null;
}

function schemaOf(schema: unknown): Schema {
  return Schema.safeParse(schema).data ?? ANYTHING;
}

/** A value that is text where something else is wanted is read once; text that says nothing of the kind stays. */
function readAs(schema: Schema, value: Json): Json {
  if (typeof value !== 'string' || schema.type === 'string') return value;
  const read = z.json().safeParse(parsed(value));
  return read.success ? read.data : value;
}

const KINDS: Readonly<Record<string, { readonly fits: (value: Json) => boolean; readonly name: string }>> = {
  string: { fits: value => typeof value === 'string', name: 'a text' },
  boolean: { fits: value => typeof value === 'boolean', name: 'true or false' },
  integer: { fits: value => Number.isInteger(value), name: 'a whole number' },
  number: { fits: value => typeof value === 'number' && Number.isFinite(value), name: 'a number' },
  array: { fits: value => Array.isArray(value), name: 'a list' },
  object: { fits: value => JsonObject.safeParse(value).success, name: 'an object' },
};

/** What is wrong with a value, as in "is no list"; `null` when it fits. */
function misfit(schema: Schema, value: Json): string | null {
  const kind = schema.type === undefined ? undefined : KINDS[schema.type];
  if (kind === undefined) return null;
  if (!kind.fits(value)) return `must be ${kind.name}`;
  if (Array.isArray(value)) {
    const inner = schemaOf(schema.items);
    const wrong = value.map(item => misfit(inner, item)).find(found => found !== null);
    return wrong === undefined ? null : `has an item that ${wrong}`;
  }
  if (schema.enum === undefined || (typeof value === 'string' && schema.enum.includes(value))) return null;
  return `must be one of: ${schema.enum.join(', ')}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
