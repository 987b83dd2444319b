import type { Position } from '../diagnostic.ts';
import { withoutTrailing } from '../ends.ts';
import type { Token } from '../lex/token.ts';
import type { Parser, Spanned } from './parser.ts';

/*
 * A prompt written where its name is expected. It gets a name made from its text, which no author can write, so equal
 * texts are one prompt and nothing clashes with it.
 */

/** Keeps the text of a string token as a prompt and gives its name. */
export function inlinePrompt(parser: Parser, token: Token): string {
  const name = `inline-${hashOf(token.value)}`;
  const { at } = token;
  if (!parser.inlinePrompts.has(name)) {
    const lines = linesOf(token);
    parser.inlinePrompts.set(name, { kind: 'prompt', name: { value: name, at }, at, lines });
  }
  return name;
}

/** The lines of the text with the places where they are written. */
function linesOf(token: Token): readonly Spanned<string>[] {
  const placeOf = placesOf(token);
  return withoutTrailing(token.value, '\n')
    .split('\n')
    .map((value, index) => ({ value, at: placeOf(index) }));
}

function placesOf({ text, at }: Token): (line: number) => Position {
  const { line, column } = at;
  switch (text[0]) {
    case '|': {
      const written = text.split('\n');
      const first = Math.max(
        1,
        written.findIndex((one, index) => index > 0 && one.trim() !== ''),
      );
      const strip = /^ */.exec(written[first] ?? '')?.[0].length ?? 0;
      return index => ({ line: line + first + index, column: strip + 1 });
    }
    case '`':
      return index => ({ line: line + index, column: index === 0 ? column + 1 : 1 });
    default:
      return () => ({ line, column: column + 1 });
  }
}

/** Two FNV-1a sums over the UTF-16 units, from different starts, as 16 hexadecimal digits. */
function hashOf(text: string): string {
  let one = 0x811c9dc5;
  let two = 0xcbf29ce4;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit ^ (two >>> 15), 0x01000193);
  }
  return [one, two].map(sum => (sum >>> 0).toString(16).padStart(8, '0')).join('');
}
