import { endsLine, type TokenKind } from '../lex/token.ts';
import type { Parser } from './parser.ts';

/** How much of the line of a property is looked at. */
const MOST_WORDS = 16;
const VALUES: readonly TokenKind[] = ['word', 'int', 'float', 'string', 'mark'];

/** Passes over the property of the wider language that begins here, and keeps what its line says. */
export function passOverProperty(parser: Parser): void {
  const { text: word, at } = parser.token;
  parser.later(at, `\`${word}\` properties`);
  if (parser.peek(1).text === ':') {
    const words: string[] = [];
    for (let ahead = 2; ahead < 2 + MOST_WORDS; ahead += 1) {
      const token = parser.peek(ahead);
      if (endsLine(token) || !VALUES.includes(token.kind)) break;
      words.push(token.value);
    }
    const value = { value: words.join(''), at: parser.peek(2).at };
    parser.complaints.passOver({ word, at, value, owner: parser.declaring });
  }
  parser.skipLater();
}

/** Takes a word of the wider language that stands as the value of `key`, and keeps it as passed over. */
export function passOverWord(parser: Parser, key: string, feature: string): void {
  const { at, value } = parser.take();
  parser.later(at, feature);
  parser.complaints.passOver({ word: key, at, value: { value, at }, owner: parser.declaring });
}
