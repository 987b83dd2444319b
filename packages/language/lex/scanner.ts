import type { Position } from '../diagnostic.ts';

/**
 * Walks a source once and knows where it is. Columns count code points; a byte order mark has no width, and `\r\n`
 * is one line break.
 */
export class Scanner {
  readonly source: string;
  #offset = 0;
  #line = 1;
  #column = 1;

  constructor(source: string) {
    this.source = source;
    if (source.charCodeAt(0) === 0xfeff) this.#offset = 1;
  }

  get offset(): number {
    return this.#offset;
  }

  get position(): Position {
    return { line: this.#line, column: this.#column };
  }

  get done(): boolean {
    return this.#offset >= this.source.length;
  }

  /** Goes on to `end`. */
  goTo(end: number): void {
    while (this.#offset < end) {
      const code = this.source.codePointAt(this.#offset) ?? 0;
      this.#offset += code > 0xffff ? 2 : 1;
      if (code === 0x0a) {
        this.#line += 1;
        this.#column = 1;
      } else {
        this.#column += 1;
      }
    }
  }

  /** The length of the line break at an offset, 0 when there is none. A lone `\r` is none. */
  breakAt(offset: number): 0 | 1 | 2 {
    const char = this.source[offset];
    if (char === '\n') return 1;
    return char === '\r' && this.source[offset + 1] === '\n' ? 2 : 0;
  }

  /** Where the line's text ends: its break, or the end of the source. */
  lineEnd(offset: number): number {
    const found = this.source.indexOf('\n', offset);
    if (found < 0) return this.source.length;
    return found > offset && this.source[found - 1] === '\r' ? found - 1 : found;
  }

  /** The first offset that does not hold one of `chars`. */
  skip(offset: number, chars: string): number {
    let end = offset;
    for (;;) {
      const char = this.source[end];
      if (char === undefined || !chars.includes(char)) return end;
      end += 1;
    }
  }

  /** The offset just after a match of a sticky pattern, or -1. */
  match(pattern: RegExp, offset: number): number {
    pattern.lastIndex = offset;
    return pattern.test(this.source) ? pattern.lastIndex : -1;
  }
}
