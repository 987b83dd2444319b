import type { FileSyntax } from '../parse/file.ts';

const KINDS: readonly string[] = ['emit', 'wait', 'subbot'];

const known = new WeakMap<FileSyntax, ReadonlySet<string>>();

/**
 * The names of nodes of the wider language, which are passed over: an edge may name them, and what they put out is not
 * known.
 */
export function laterNodes(file: FileSyntax): ReadonlySet<string> {
  const found =
    known.get(file) ??
    new Set(file.passedDeclarations.flatMap(({ kind, name }) => (KINDS.includes(kind) ? [name.value] : [])));
  known.set(file, found);
  return found;
}
