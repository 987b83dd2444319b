import type { Diagnostic } from '../diagnostic.ts';
import { BUNDLES } from './bundles.ts';

const MENDS: ReadonlyMap<string, string> = new Map(BUNDLES.map(({ code, mend }) => [code, mend]));

/** A diagnostic about a bundle with a way out: the one found for its files, else the one that its code always has. */
export function withBundleFix(diagnostic: Diagnostic): Diagnostic {
  const fix = diagnostic.fix ?? MENDS.get(diagnostic.code);
  return fix === undefined ? diagnostic : { ...diagnostic, fix };
}
