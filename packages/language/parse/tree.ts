import type { Token } from '../lex/token.ts';

/*
 * The concrete tree: every token of the source, in order, under the construct it belongs to. Formatter and editor
 * read this; checks and compiler read the syntax nodes of `syntax.ts`, which the same pass produces.
 */

/** The tokens of a file under its declarations, for tools that keep a text as it was written. */
export interface Tree {
  /** The construct: `file`, `agent`, `property`, `edge`, `skipped`, … */
  readonly kind: string;
  readonly children: readonly (Tree | Token)[];
}

/** Gives back the source, character by character. */
export function print(tree: Tree): string {
  const parts: string[] = [];
  const walk = (child: Tree | Token): void => {
    if ('children' in child) child.children.forEach(walk);
    else parts.push(child.lead, child.text);
  };
  walk(tree);
  return parts.join('');
}
