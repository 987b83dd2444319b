import { CODES } from '../codes.ts';
import type { Diagnostic } from '../diagnostic.ts';

const MENDS: ReadonlyMap<string, string> = new Map(CODES.map(({ code, mend }) => [code, mend]));

/** A diagnostic with a way out: the one found for its source, else the one that its code always has. */
export function withFix(diagnostic: Diagnostic): Diagnostic {
  const fix = diagnostic.fix ?? MENDS.get(diagnostic.code);
  return fix === undefined ? diagnostic : { ...diagnostic, fix };
}
