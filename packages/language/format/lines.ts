import { endsLine, type Token } from '../lex/token.ts';
import type { Tree } from '../parse/tree.ts';

/*
 * The logical lines of a source: what stands on each, how deep it is, and how many blank lines the author left above.
 * Between braces layout is free, so a group in braces is one line with all that it holds, line breaks included.
 */

/** One logical line of a source. */
export interface Line {
  readonly is: 'code' | 'comment' | 'text';
  /** How many blocks the line is inside of. */
  readonly depth: number;
  /** Blank lines above it. */
  readonly blanks: number;
  /** Whether it may have none: between the header of a prompt and its text. */
  readonly tied: boolean;
  /** The line's tokens: of code without its comment, of a comment or a line of a prompt just the one. */
  readonly tokens: readonly Token[];
  /** What the author says at the end of the line. */
  readonly note: Token | null;
}

/** The tokens of a tree in order. */
export function tokensIn(tree: Tree): readonly Token[] {
  const tokens: Token[] = [];
  const walk = (child: Tree | Token): void => {
    if ('children' in child) child.children.forEach(walk);
    else tokens.push(child);
  };
  walk(tree);
  return tokens;
}

/** The lines of a source that parsed without an error. */
export function linesIn(tree: Tree): readonly Line[] {
  const reader = new LineReader();
  for (const token of tokensIn(tree)) reader.take(token);
  return reader.end();
}

interface Waiting {
  readonly token: Token;
  readonly blanks: number;
}

class LineReader {
  readonly #lines: Line[] = [];
  /** The columns of the open blocks. */
  #columns: number[] = [1];
  #tokens: Token[] = [];
  #lineDepth = 0;
  #blanks = 0;
  #braces = 0;
  /** Indents minus dedents passed inside braces; their counterparts mean nothing either. */
  #skew = 0;
  /** The line at which the latest token ended. */
  #last = 0;
  /** Comments whose depth follows from the line below them, and the columns that were open above. */
  #waiting: Waiting[] = [];
  #above: readonly number[] = [1];

  take(token: Token): void {
    if (token.kind === 'indent' || token.kind === 'dedent') this.#layout(token);
    else if (token.kind === 'prompt_line') this.#text(token);
    else if (this.#braces > 0) this.#inside(token);
    else if (endsLine(token)) this.#endLine(token);
    else if (token.kind !== 'eof' && token.text !== '') this.#code(token);
  }

  end(): readonly Line[] {
    this.#push('code', null);
    this.#settle(false);
    return this.#lines;
  }

  get #depth(): number {
    return this.#columns.length - 1;
  }

  #layout({ kind, at }: Token): void {
    const step = kind === 'indent' ? 1 : -1;
    if (this.#braces > 0) this.#skew += step;
    else if (this.#skew * step < 0) this.#skew += step;
    else if (step > 0) this.#columns = [...this.#columns, at.column];
    else this.#columns = this.#columns.slice(0, -1);
  }

  #text(token: Token): void {
    this.#add(token);
    this.#push('text', null);
  }

  #inside(token: Token): void {
    if (token.kind === 'eof' || (token.kind === 'error' && token.text === '')) return;
    if (token.text === '{' && token.kind === 'mark') this.#braces += 1;
    if (token.text === '}' && token.kind === 'mark') this.#braces -= 1;
    this.#add(token);
  }

  #endLine(token: Token): void {
    if (this.#tokens.length > 0) return this.#push('code', token.kind === 'comment' ? token : null);
    if (token.kind !== 'comment') return;
    if (this.#waiting.length === 0) this.#above = this.#columns;
    this.#waiting.push({ token, blanks: this.#blanksAbove(token) });
    this.#last = lastLineOf(token);
  }

  #code(token: Token): void {
    if (token.text === '{' && token.kind === 'mark') this.#braces += 1;
    this.#add(token);
  }

  #push(is: 'code' | 'text', note: Token | null): void {
    if (this.#tokens.length === 0) return;
    this.#lines.push({
      is,
      depth: this.#lineDepth,
      blanks: this.#blanks,
      tied: false,
      tokens: this.#tokens,
      note,
    });
    this.#last = note === null ? this.#last : lastLineOf(note);
    this.#tokens = [];
  }

  #add(token: Token): void {
    if (this.#tokens.length === 0) {
      this.#settle(token.kind === 'prompt_line');
      this.#lineDepth = this.#depth;
      this.#blanks = this.#blanksAbove(token);
    }
    this.#last = lastLineOf(token);
    this.#tokens.push(token);
  }

  #blanksAbove({ at }: Token): number {
    return Math.max(0, at.line - this.#last - 1);
  }

  /**
   * Gives the comments their depth. Above a deeper line they belong to it; above a shallower one they stay in the
   * innermost block that they are indented for, and once they have left a block they do not go back. Above the first
   * line of a prompt they stay outside, since inside they would be text.
   */
  #settle(aboveText: boolean): void {
    const outer = this.#above.length - 1;
    let depth = aboveText ? outer : Math.max(this.#depth, outer);
    for (const { token, blanks } of this.#waiting) {
      while (depth > this.#depth && (this.#above[depth] ?? 1) > token.at.column) depth -= 1;
      this.#lines.push({ is: 'comment', depth, blanks, tied: aboveText, tokens: [token], note: null });
    }
    this.#waiting = [];
  }
}

/** The line on which a token ends; a line break at its own end does not count. */
function lastLineOf({ at, text }: Token): number {
  return at.line + text.replace(/\r?\n$/, '').split('\n').length - 1;
}
