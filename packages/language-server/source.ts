import type { Position } from '@hearth/language/diagnostic.ts';
import type { Token } from '@hearth/language/lex/token.ts';
import { type Parsed, parse } from '@hearth/language/parse/file.ts';
import type { Tree } from '@hearth/language/parse/tree.ts';

/*
 * A source and its tree, with the place of every token as an offset in UTF-16 units, which is how editors count. The
 * language counts lines and code points; `offsetOf` goes from there to here.
 */

/** A token and where its text stands. */
export interface Placed {
  readonly token: Token;
  readonly start: number;
  readonly end: number;
}

/** One text, parsed once. It never changes: another text is another source. */
export class Source {
  readonly text: string;
  readonly parsed: Parsed;
  /** The tokens that have a text, in order. */
  readonly tokens: readonly Placed[];
  readonly #placed = new Map<Token, Placed>();
  readonly #lineStarts: readonly number[];

  constructor(text: string, name: string) {
    this.text = text;
    this.parsed = parse(text, name);
    const tokens: Placed[] = [];
    let offset = 0;
    const walk = (child: Tree | Token): void => {
      if ('children' in child) return child.children.forEach(walk);
      const start = offset + child.lead.length;
      offset = start + child.text.length;
      const placed = { token: child, start, end: offset };
      this.#placed.set(child, placed);
      if (child.text !== '') tokens.push(placed);
    };
    walk(this.parsed.tree);
    this.tokens = tokens;
    this.#lineStarts = lineStartsOf(text);
  }

  /** Where a token of this source's tree stands. */
  placeOf(token: Token): Placed {
    return this.#placed.get(token) ?? { token, start: 0, end: 0 };
  }

  offsetOf(position: Position): number {
    return offsetIn(this.text, this.#lineStarts, position);
  }

  /** The index of the first token that ends behind the offset; the number of tokens when there is none. */
  indexAt(offset: number): number {
    let low = 0;
    let high = this.tokens.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.tokens[middle]?.end ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The range that a diagnostic at a position is about: the token there, or one character. */
  rangeAt(position: Position): { readonly start: number; readonly end: number } {
    const start = this.offsetOf(position);
    const found = this.tokens[this.indexAt(start)];
    if (found === undefined || found.start > start)
      return { start, end: Math.min(start + 1, this.text.length) };
    const line = found.token.text.search(/\r?\n/);
    const end = found.start === start && line < 0 ? found.end : wordEnd(this.text, start);
    return { start, end };
  }
}

/** Finds the range that a diagnostic at a position of a text that is no graph is about: the word there. */
export function rangesIn(
  text: string,
): (position: Position) => { readonly start: number; readonly end: number } {
  const lineStarts = lineStartsOf(text);
  return position => {
    const start = offsetIn(text, lineStarts, position);
    return { start, end: wordEnd(text, start) };
  };
}

/** Where the word or the reference at an offset ends, on its line. */
function wordEnd(text: string, offset: number): number {
  const found = /^(?:\{\{[^}\n]*\}\}|[\p{L}\p{N}_]+|\S)/u.exec(text.slice(offset, offset + 400));
  return Math.min(text.length, offset + (found?.[0].length ?? 1));
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function offsetIn(text: string, lineStarts: readonly number[], { line, column }: Position): number {
  const start = lineStarts[line - 1];
  if (start === undefined) return text.length;
  const next = lineStarts[line];
  const end = next === undefined ? text.length : next - 1;
  let offset = start;
  for (let left = column - 1; left > 0 && offset < end; left -= 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
