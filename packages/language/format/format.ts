import type { Diagnostic } from '../diagnostic.ts';
import { parse } from '../parse/file.ts';
import { linesIn } from './lines.ts';
import { written } from './layout.ts';
import { sameMeaning } from './meaning.ts';

/*
 * The formatter. It guarantees that the result means what the source means, that every comment stays, and that
 * formatting again changes nothing. Layout only: names, strings, the order of things and the words of prompts stay as
 * they are, and so does the way in which lines end.
 */

/** The formatted text, or why there is none: a file with a syntax error is left as it is. */
export type Formatted =
  | { readonly is: 'formatted'; readonly text: string }
  /** The source has errors of syntax, so what it means is not known; it stays as it is. */
  | { readonly is: 'broken'; readonly errors: readonly Diagnostic[] };

/** Formats a source. Never throws. */
export function format(source: string, fileName: string): Formatted {
  const parsed = parse(source, fileName);
  const errors = parsed.diagnostics.filter(one => one.severity === 'error');
  if (errors.length > 0) return { is: 'broken', errors };
  const text = written(linesIn(parsed.tree));
  const ended = /^[^\n]*\r\n/.test(source) ? text.replaceAll('\n', '\r\n') : text;
  // Some odd line ends inside of texts cannot be written in any other layout.
  return { is: 'formatted', text: sameMeaning(parsed, parse(ended, fileName)) ? ended : source };
}
