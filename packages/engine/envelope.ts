import type { Field, Type } from '@hearth/language/plan.ts';
import type { Value, Values } from '@hearth/language/value.ts';
import { schemaNamed } from './routes.ts';
import type { Plan } from './runnable.ts';

/** An output that fits its schema, or the reason why it does not, for a person and a model alike. */
export type Conformed =
  | { readonly ok: true; readonly output: Values }
  | { readonly ok: false; readonly why: string };

/**
 * Fits an output to a node's schema. Every field must be there, non-null, of its type and inside its enum; extra
 * keys pass. Fields of type `json`, `string[]`, numbers and booleans that arrive as strings are parsed once, since
 * models often send structured values as text; a `json` string that is no JSON stays a string.
 */
export function conform(plan: Plan, schema: string | null, output: Values): Conformed {
  const fields = schemaNamed(plan, schema)?.fields;
  if (fields === undefined) return { ok: true, output };
  const fitted: Values = { ...output };
  for (const field of fields) {
    const value = Object.hasOwn(output, field.name) ? output[field.name] : undefined;
    if (value === undefined || (value === null && field.type !== 'json'))
      return { ok: false, why: `"${field.name}" is missing` };
    const parsed =
      typeof value === 'string' && field.type !== 'string' ? parseText(value, field.type) : value;
    if (!FITS[field.type](parsed)) return { ok: false, why: `"${field.name}" is no ${field.type}` };
    if (field.least !== undefined && Array.isArray(parsed) && parsed.length < field.least)
      return { ok: false, why: `"${field.name}" must name at least ${field.least}` };
    const stray = outsideEnum(field, parsed);
    if (stray !== null) {
      return {
        ok: false,
        why: `"${field.name}" is ${JSON.stringify(stray)}, which is none of ${(field.enum ?? []).join(', ')}`,
      };
    }
    fitted[field.name] = parsed;
  }
  return { ok: true, output: fitted };
}

/** Which values are of a type. */
export const FITS: Record<Type, (value: Value) => boolean> = {
  string: value => typeof value === 'string',
  bool: value => typeof value === 'boolean',
  int: value => typeof value === 'number' && Number.isInteger(value),
  float: value => typeof value === 'number' && Number.isFinite(value),
  json: () => true,
  'string[]': value => Array.isArray(value) && value.every(item => typeof item === 'string'),
};

function parseText(text: string, type: Type): Value {
  try {
    const parsed: Value = JSON.parse(text);
    return type === 'json' || FITS[type](parsed) ? parsed : text;
  } catch {
    return text;
  }
}

function outsideEnum(field: Field, value: Value): Value {
  if (field.enum === undefined) return null;
  const words =
    field.type === 'string' ? [value] : field.type === 'string[]' && Array.isArray(value) ? value : [];
  return words.find(word => typeof word !== 'string' || !field.enum?.includes(word)) ?? null;
}

/** The strings of a `json` field that should be a list of strings; a stringified list counts. */
export function stringsOf(value: Value | undefined): string[] {
  const list = typeof value === 'string' ? parseText(value, 'string[]') : value;
  return Array.isArray(list)
    ? list.filter(item => typeof item === 'string').filter(item => item.trim() !== '')
    : [];
}
