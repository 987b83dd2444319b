import { z } from 'zod';

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Any JSON value; nothing else of JavaScript passes, such as `undefined`, a date or a number that is not finite. */
export const Json: z.ZodType<Json> = z.json();
/** A JSON object: not an array and not `null`. */
export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), Json);

/** A JSON Schema, draft 2020-12. Only the words that `schemaOf` in `@hearth/language` writes are ever produced. */
export const JsonSchema = JsonObject;
/** A JSON Schema, draft 2020-12, as data. */
export type JsonSchema = JsonObject;

/**
 * JSON with object keys sorted and nothing between tokens, so that equal values give equal bytes.
 * Digests are taken over it. Members that are `undefined` are left out, as `JSON.stringify` does.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}
