/** Longer lines are matched by their beginning only. */
const LINE_LIMIT = 2000;

/** The numbers (from 0) of the lines that match. May take exponential time: see `cut-off.ts`. */
export type LineMatcher = (lines: readonly string[]) => readonly number[];

/** Builds a matcher, or says why the pattern is no regular expression. */
export function lineMatcher(pattern: string): LineMatcher | { readonly refused: string } {
  try {
    const matcher = new RegExp(pattern, 'u');
    return lines => lines.flatMap((line, at) => (matcher.test(line.slice(0, LINE_LIMIT)) ? [at] : []));
  } catch (error) {
    const why = error instanceof Error ? error.message : 'syntax error';
    return { refused: `"${pattern}" is not a regular expression: ${why}.` };
  }
}
