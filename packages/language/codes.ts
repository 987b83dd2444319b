import { AGENTS } from './codes/agents.ts';
import type { Code } from './codes/code.ts';
import { DECLARATIONS } from './codes/declarations.ts';
import { GRAPH } from './codes/graph.ts';
import { HEARTH } from './codes/hearth.ts';
import { LATER, LATER_SYNTAX } from './codes/later.ts';
import { LATER_DECLARATIONS } from './codes/later-declarations.ts';
import { LATER_FILES, LATER_NODES } from './codes/later-nodes.ts';
import { NAMES } from './codes/names.ts';
import { REVIEWS } from './codes/reviews.ts';
import { SYNTAX } from './codes/syntax.ts';

const byCode = (a: Code, b: Code): number => (a.code < b.code ? -1 : 1);

/** Every code that the language gives: of the syntax, of the compiler, Hearth's own; each family in order. */
export const CODES: readonly Code[] = [
  ...[...SYNTAX, ...LATER_SYNTAX, ...LATER_FILES].toSorted(byCode),
  ...[
    ...GRAPH,
    ...NAMES,
    ...AGENTS,
    ...DECLARATIONS,
    ...LATER,
    ...LATER_NODES,
    ...LATER_DECLARATIONS,
  ].toSorted(byCode),
  ...[...HEARTH, ...REVIEWS].toSorted(byCode),
];
