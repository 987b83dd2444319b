/** Checks a value that comes from a disk against a zod schema, with the first fault in one short phrase. */
import type { ZodType } from 'zod';
import { wordsOf } from './issue-words.ts';

/** A value that fits, or the first thing that is wrong with it, as the rest of a sentence. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

/** The typed value, or where it is wrong. */
export function checked<T>(schema: ZodType<T>, value: unknown): Checked<T> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const issue = result.error.issues[0];
  const where = issue?.path.map(String).join('.');
  const words = issue === undefined ? 'is not what was expected' : wordsOf(issue);
  return { ok: false, why: `${where ? `"${where}"` : 'it'} ${words}` };
}

/** Parses JSON text and checks it. */
export function checkedJson<T>(schema: ZodType<T>, text: string): Checked<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, why: 'not JSON' };
  }
  return checked(schema, value);
}
