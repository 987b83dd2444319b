import { endsLine } from '../lex/token.ts';
import type { FileSyntax, Parsed } from '../parse/file.ts';
import { tokensIn } from './lines.ts';

/**
 * Whether two sources say the same: their syntax is equal but for where things stand, and so are their words, those
 * too that the parser passes over.
 */
export function sameMeaning(one: Parsed, other: Parsed): boolean {
  return meaningOf(one.file) === meaningOf(other.file) && wordsOf(one) === wordsOf(other);
}

/** The syntax as text, without positions. */
export function meaningOf(file: FileSyntax): string {
  return JSON.stringify(file, (_key, value: unknown) => (isPosition(value) ? undefined : value));
}

/** The tokens that are more than layout. Commas are left out: line breaks part entries as well. */
function wordsOf({ tree }: Parsed): string {
  const words = tokensIn(tree).filter(token => token.text !== '' && token.text !== ',' && !endsLine(token));
  return JSON.stringify(words.map(({ kind, value }) => [kind, value]));
}

function isPosition(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { line, column, ...rest } = value as Readonly<Record<string, unknown>>;
  return typeof line === 'number' && typeof column === 'number' && Object.keys(rest).length === 0;
}
