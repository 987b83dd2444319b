import { CODES } from '../codes.ts';
import { BUNDLES } from './bundles.ts';
import type { Code } from './code.ts';

/** What there is to tell of a code. Where no short text shows the fault, there are no examples. */
export interface Explanation extends Omit<Code, 'wrong' | 'right'> {
  readonly wrong?: string;
  readonly right?: string;
  /** The file of a bundle that the examples are; the graph when absent. */
  readonly file?: string;
}

/** Every code, of the graph and of a bundle's other files: E, then C, then H, each family in order. */
export const EXPLANATIONS: readonly Explanation[] = [
  ...CODES,
  ...BUNDLES.map(({ example, ...rest }) => (example === undefined ? rest : { ...rest, ...example })),
].toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));

function placeOf({ code }: Explanation): string {
  return `${'ECH'.indexOf(code.charAt(0))}${code}`;
}
