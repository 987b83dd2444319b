/**
 * Holds the vars that a run is given to the patterns of its bot. A pattern is its author's, and to match it may take any
 * time; it is given a moment, so that no bot can hold up the conversations of others.
 */
import { runInNewContext } from 'node:vm';
import type { Plan } from '@hearth/engine/runnable.ts';

/** How long one value may be matched, in milliseconds. */
const MOMENT = 100;

/** The sentence that names the first var that does not match its pattern; `null` when all do. */
export function outsidePattern(
  { vars, title }: Plan,
  given: Readonly<Record<string, unknown>>,
): string | null {
  for (const { name, matching } of vars) {
    const value = given[name];
    if (matching === undefined || typeof value !== 'string') continue;
    const matches = matched(matching, value);
    if (matches === true) continue;
    const what =
      matches === false
        ? `and ${JSON.stringify(value.slice(0, 100))} does not`
        : 'which takes too long to find out for this value';
    return `The var "${name}" of ${title} must match ${matching}, ${what}.`;
  }
  return null;
}

/** `null`: that cannot be told in a moment. */
function matched(pattern: string, value: string): boolean | null {
  try {
    const result: unknown = runInNewContext(
      'new RegExp(pattern, "u").test(value)',
      { pattern, value },
      { timeout: MOMENT },
    );
    return result === true;
  } catch {
    return null;
  }
}
