import { createContext, Script } from 'node:vm';

/*
 * Matches a pattern of a model against lines without letting it hold the process: a pattern may take exponential time,
 * so it runs in a context of its own that is cut off.
 */

/** Longer lines are matched by their beginning only. */
const LINE_LIMIT = 2000;
const CUT_OFF_MS = 500;

/** The numbers (from 0) of the lines that match. Throws when the pattern takes too long. */
export type LineMatcher = (lines: readonly string[]) => number[];

/** Builds a matcher, or says why the pattern is no regular expression. */
export function lineMatcher(pattern: string): LineMatcher | { readonly refused: string } {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return {
      refused: `"${pattern}" is not a regular expression: ${error instanceof Error ? error.message : 'syntax error'}.`,
    };
  }
  const script = new Script(
    'const matcher = new RegExp(pattern, "u"); lines.flatMap((line, at) => (matcher.test(line) ? [at] : [])).join()',
  );
  return lines => {
    const context = createContext({ pattern, lines: lines.map(line => line.slice(0, LINE_LIMIT)) });
    const found: unknown = script.runInContext(context, { timeout: CUT_OFF_MS });
    return String(found)
      .split(',')
      .filter(at => at !== '')
      .map(Number);
  };
}
