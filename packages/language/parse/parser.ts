import type { Position } from '../diagnostic.ts';
import { isName } from '../lex/keywords.ts';
import type { Lexer } from '../lex/lexer.ts';
import type { Profile } from '../lex/profile.ts';
import { describe, endsLine, type Token } from '../lex/token.ts';
import { Complaints, type Fix } from './complaints.ts';
import type { PromptSyntax } from './prompt.ts';
import type { Tree } from './tree.ts';

/** A part of the syntax and where it stands. */
export interface Spanned<T> {
  readonly value: T;
  readonly at: Position;
}

/** What an author is told who uses a word of profile 2 in profile 1. */
export const NEEDS_PROFILE_2 = 'it belongs to profile 2: begin the file with `dsl: 2`';

/**
 * The cursor over the tokens that all readers share. It puts every token it passes into the tree, reports what was
 * expected, and recovers at the next line or declaration. It never throws and every loop over it makes progress.
 */
export class Parser {
  readonly profile: Profile;
  readonly complaints: Complaints;
  /** The name of the declaration that is being read. */
  declaring = '';
  /** Prompts written in the place of a prompt's name, by the name they got. */
  readonly inlinePrompts = new Map<string, PromptSyntax>();
  readonly #tokens: Lexer;
  /** Whether the tree is wanted; without it no token is kept once it is behind. */
  readonly #keepsTree: boolean;
  #index = 0;
  #ended = false;
  #children: (Tree | Token)[] = [];
  /** Indents minus dedents passed inside braces, where layout is free; their counterparts are passed over later. */
  #skew = 0;
  #commentsEnd = 0;
  /** Braces that are open in what is passed over; null elsewhere. */
  #braces: number | null = null;

  constructor(tokens: Lexer, file: string, profile: Profile, keepsTree: boolean) {
    this.#tokens = tokens;
    this.#keepsTree = keepsTree;
    this.complaints = new Complaints(file);
    this.profile = profile;
  }

  get token(): Token {
    for (;;) {
      const token = this.#tokens.at(this.#index);
      if (this.#skew > 0 && token.kind === 'dedent') this.#skew -= 1;
      else if (this.#skew < 0 && token.kind === 'indent') this.#skew += 1;
      else return token;
      this.#pass(token);
    }
  }

  get at(): Position {
    return this.token.at;
  }

  /** How many tokens are behind: two equal readings mean that nothing was read. */
  get progress(): number {
    return this.#index;
  }

  /** The token `ahead` places further on. */
  peek(ahead: number): Token {
    return this.#tokens.at(Math.max(0, this.#index + ahead));
  }

  /** Whether the current token is this word or mark. */
  is(text: string): boolean {
    const { token } = this;
    return token.text === text && (token.kind === 'word' || token.kind === 'mark');
  }

  /** Takes the current token. At the end it stays there. */
  take(): Token {
    const { token } = this;
    if (!this.#ended) this.#pass(token);
    return token;
  }

  /** Takes the current token when it is this word or mark. */
  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.take();
    return true;
  }

  expect(text: string): boolean {
    if (this.accept(text)) return true;
    this.expected(`\`${text}\``);
    return false;
  }

  /** Reads a name: any identifier, keywords included. */
  name(what: string): Spanned<string> | undefined {
    const { token } = this;
    if (token.kind === 'word' && isName(token.text)) {
      this.take();
      return { value: token.text, at: token.at };
    }
    this.expected(what);
    return undefined;
  }

  /** Reads a string. In profile 2 one bare word is a string too. */
  string(what: string): Spanned<string> | undefined {
    const { token } = this;
    if (token.kind === 'string' || (token.kind === 'word' && this.profile === 2)) {
      const next = this.peek(1);
      if (token.kind === 'word' && !endsValue(next)) {
        this.expected(what, 'a value of more than one word is written in quotes');
        return undefined;
      }
      this.take();
      return { value: token.value, at: token.at };
    }
    this.expected(what, token.kind === 'word' ? `write it in quotes: \`"${token.text}"\`` : undefined);
    return undefined;
  }

  /** Reports an error of syntax. Where a token has a code of its own at that place, that is the code. */
  error(code: string, at: Position, message: string, fix?: Fix): void {
    const { token } = this;
    const own = token.at === at ? token.code : undefined;
    this.complaints.error(own ?? code, at, message, fix);
  }

  expected(what: string, fix?: Fix): void {
    this.error('E002', this.at, `expected ${what}, found ${describe(this.token)}`, fix);
  }

  /** Passes over a feature of the wider language: it is known, and not supported yet. */
  later(at: Position, feature: string): void {
    this.complaints.later(at, feature);
  }

  /** Runs a reader; what it takes becomes one node of the tree. */
  node<T>(kind: string, read: (tree: Tree) => T): T {
    const outer = this.#children;
    const children: (Tree | Token)[] = [];
    const tree: Tree = { kind, children };
    this.#children = children;
    const result = read(tree);
    this.#children = outer;
    if (this.#keepsTree) outer.push(tree);
    return result;
  }

  /** Runs a reader inside braces, where line breaks and indentation mean nothing; a comma may follow each entry. */
  braces(readEntry: () => boolean): void {
    this.take();
    let skew = 0;
    for (;;) {
      const { token } = this;
      if (token.kind === 'eof') return this.expected('`}`');
      if (token.text === '}' && token.kind === 'mark') break;
      const layout = token.kind === 'indent' ? 1 : token.kind === 'dedent' ? -1 : 0;
      if (layout !== 0 || endsLine(token) || (token.kind === 'error' && token.text === '')) {
        skew += layout;
        this.take();
      } else if (readEntry()) {
        this.accept(',');
      } else {
        this.#skew += skew;
        return;
      }
    }
    this.take();
    this.#skew += skew;
  }

  /**
   * Reads an indented block after its colon, entry by entry. Without one it reports what is missing and returns
   * false.
   */
  block(what: string, readEntry: () => void): boolean {
    this.skipLineEnds();
    const opener = this.token;
    if (opener.kind !== 'indent') {
      if (this.#mayBeEmpty()) return true;
      this.expected(`${what}, indented`);
      return false;
    }
    this.take();
    for (;;) {
      while (endsLine(this.token)) {
        // A comment that stands further left belongs to what comes after the block, whose end is passed over later.
        if (this.token.kind === 'comment' && this.at.column < opener.at.column && this.#endsAfterComments()) {
          this.#skew += 1;
          return true;
        }
        this.take();
      }
      const { kind } = this.token;
      if (kind === 'eof') return true;
      if (kind === 'dedent') {
        this.take();
        return true;
      }
      const before = this.progress;
      readEntry();
      if (this.progress === before) this.take();
    }
  }

  /** In profile 2 a block may be empty when a blank line or the end of the file follows. */
  #mayBeEmpty(): boolean {
    const { kind, lead } = this.token;
    return this.profile === 2 && (kind === 'eof' || lead.includes('\n'));
  }

  skipLineEnds(): void {
    while (endsLine(this.token)) this.take();
  }

  /** Skips to the end of the line and over a block that is indented below it. */
  skipEntry(): void {
    this.node('skipped', () => {
      while (!this.#atEdge()) {
        const { kind, text } = this.take();
        // A line that is indented with a tab is one token, its break included.
        if (kind === 'error' && text.endsWith('\n')) return;
      }
      let ahead = 0;
      while (endsLine(this.peek(ahead))) ahead += 1;
      // Only a block that belongs to this line: right after its end.
      if (this.peek(ahead).kind !== 'indent') return;
      this.skipLineEnds();
      this.#skipBlock();
    });
  }

  /**
   * Skips what is passed over. Nothing has been said against it, so a string that is not closed is told, and a brace that is
   * left open or closes nothing.
   */
  skipLater(): void {
    this.#braces = 0;
    this.skipEntry();
    if (this.#braces !== 0) this.expected(this.#braces > 0 ? '`}`' : '`{` in front of a `}`');
    this.#braces = null;
  }

  /** Skips the indented block that begins here as a whole. */
  #skipBlock(): void {
    let depth = 0;
    do {
      const { kind } = this.token;
      if (kind === 'eof') return;
      if (kind === 'indent') depth += 1;
      if (kind === 'dedent') depth -= 1;
      if (depth > 0) this.take();
    } while (depth > 0);
    this.take();
  }

  /** Whether only comments stand before the end of the block. Each run of comments is looked at once. */
  #endsAfterComments(): boolean {
    if (this.#index >= this.#commentsEnd) {
      let ahead = 0;
      while (endsLine(this.peek(ahead))) ahead += 1;
      this.#commentsEnd = this.#index + ahead;
    }
    // The first dedents there may belong to blocks inside that have ended already.
    return this.#tokens.at(this.#commentsEnd + Math.max(0, this.#skew)).kind === 'dedent';
  }

  #atEdge(): boolean {
    const { token } = this;
    return endsLine(token) || token.kind === 'eof' || token.kind === 'dedent' || token.kind === 'indent';
  }

  #pass(token: Token): void {
    if (this.#braces !== null) this.#weigh(token, this.#braces);
    this.#index += 1;
    this.#ended = token.kind === 'eof';
    if (this.#keepsTree) this.#children.push(token);
    // The last one is still asked for, to see whether it ended a line.
    else this.#tokens.forget(this.#index - 1);
  }

  /** Looks at a token that is passed over. */
  #weigh({ kind, text, at, value, code }: Token, open: number): void {
    // A character that is none of today may be one of the wider language; a string that is never closed is never right.
    if (code !== undefined) this.complaints.error(code, at, `found ${value}`);
    if (kind === 'mark' && text === '{') this.#braces = open + 1;
    if (kind === 'mark' && text === '}') this.#braces = open - 1;
  }
}

/** Whether a bare word before this token stands alone. */
function endsValue(token: Token): boolean {
  if (endsLine(token) || token.kind === 'eof' || token.kind === 'dedent') return true;
  return token.kind === 'mark' && [',', ']', '}', ')'].includes(token.text);
}
