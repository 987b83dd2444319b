import { endsLine } from '../lex/token.ts';
import type { Parser } from './parser.ts';

/** Reads `dsl: 1` or `dsl: 2`, which the lexer has acted on already when it stands first. */
export function readDsl(parser: Parser, first: boolean): void {
  const { at } = parser.take();
  parser.take();
  const { token } = parser;
  if (!first) {
    parser.error('E041', at, '`dsl` stands in front of all declarations');
  } else if (token.text !== '1' && token.text !== '2') {
    parser.error('E040', token.at, 'the profile is `1` or `2`', 'write `dsl: 2`');
  }
  if (token.kind === 'int') parser.take();
  if (endsLine(parser.token) || parser.token.kind === 'eof') return;
  if (token.kind === 'int') parser.expected('the end of the line');
  parser.skipEntry();
}
