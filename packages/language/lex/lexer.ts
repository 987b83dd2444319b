import { byteLength } from '../bytes.ts';
import { type Profile, profileOf } from './profile.ts';
import { Scanner } from './scanner.ts';
import { asksForStrictEscapes, blockScalar, type Literal, quoted, raw } from './strings.ts';
import type { ErrorCode, Token, TokenKind } from './token.ts';

/*
 * Turns any text into tokens and never throws. What is no token becomes an error token and lexing goes on. There are
 * three modes: normal, the body of a prompt (every line is text), and a block scalar (one token).
 */

const MAX_BYTES = 10 * 1024 * 1024;
/** Levels of indentation, the first column counted too. */
const MAX_LEVELS = 100;
/** What bounds the memory that a hopeless source can take: beyond it the rest of the source is one error. */
const MAX_TOKENS = 4_000_000;
const MAX_ERRORS = 10_000;
/** Forgetting moves the tokens that are left, so that it is done for many at once. */
const FORGOTTEN_AT_ONCE = 1024;

const END: Token = { kind: 'eof', lead: '', text: '', value: '', at: { line: 1, column: 1 } };

const WORD = /string\[\]|[\p{L}_][\p{L}\p{Nd}_]*/uy;
const NUMBER = /\p{Nd}+(?:\.\p{Nd}+)?/uy;
const MARKS: Readonly<Record<Profile, RegExp>> = { 1: /->|[:=,[\]{}().*]/y, 2: /->|[-:=,[\]{}().*]/y };
const COMMENTS: Readonly<Record<Profile, string>> = { 1: '##', 2: '#' };

/** All tokens of a source in its profile, the last one `eof`. */
export function tokensOf(source: string, profile: Profile = profileOf(source)): readonly Token[] {
  const lexer = new Lexer(source, profile);
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.at(tokens.length);
    tokens.push(token);
    if (token.kind === 'eof') return tokens;
  }
}

/**
 * Reads the tokens of a source as they are asked for. What a reader has done with it says, so that a long source does
 * not keep all its tokens at once: most of the time of compiling one went into carrying them about.
 */
export class Lexer {
  readonly #scanner: Scanner;
  readonly #profile: Profile;
  /** Whether a backslash escapes in `"…"`. */
  readonly #strict: boolean;
  readonly #comment: string;
  /** The tokens that were made and not forgotten, and how many were forgotten. */
  readonly #tokens: Token[] = [];
  #forgotten = 0;
  /** The last three tokens, the latest first. */
  #last: readonly (Token | undefined)[] = [];
  readonly #levels: number[] = [0];
  #ended = false;
  #errors = 0;
  #leadStart = 0;
  #lineStart = true;
  /** The indentation of the prompt body being read, or -1. */
  #body = -1;
  /** Whether nothing but line ends stands between `prompt NAME :` and here. */
  #afterHeader = false;

  constructor(source: string, profile: Profile) {
    this.#scanner = new Scanner(source);
    this.#profile = profile;
    this.#strict = profile === 2 || asksForStrictEscapes(source);
    this.#comment = COMMENTS[profile];
    if (exceeds(source, MAX_BYTES)) {
      const at = { line: 1, column: 1 };
      this.#tokens.push({ kind: 'error', lead: '', text: source, value: 'a source larger than 10 MiB', at });
      this.#tokens.push({ kind: 'eof', lead: '', text: '', value: '', at });
      this.#ended = true;
    }
  }

  /** The token at an index, `eof` behind the end. */
  at(index: number): Token {
    while (!this.#ended && index >= this.#made) this.#step();
    return this.#tokens[index - this.#forgotten] ?? this.#tokens.at(-1) ?? END;
  }

  /** The tokens before an index will not be asked for again. */
  forget(index: number): void {
    const count = Math.min(index - this.#forgotten, this.#tokens.length - 1);
    if (count < FORGOTTEN_AT_ONCE || count * 2 < this.#tokens.length) return;
    this.#tokens.splice(0, count);
    this.#forgotten += count;
  }

  get #made(): number {
    return this.#forgotten + this.#tokens.length;
  }

  #step(): void {
    const scanner = this.#scanner;
    if (scanner.done) {
      for (let level = this.#levels.length; level > 1; level -= 1) this.#emit('dedent', scanner.offset);
      this.#emit('eof', scanner.offset);
      this.#ended = true;
    } else if (this.#errors >= MAX_ERRORS || this.#made >= MAX_TOKENS) {
      this.#emitError(scanner.source.length, 'a rest that is not read, since too much came before it');
    } else if (this.#lineStart) this.#startLine();
    else this.#readToken();
  }

  #startLine(): void {
    const scanner = this.#scanner;
    const start = scanner.offset;
    const text = scanner.skip(start, ' ');
    const end = scanner.lineEnd(text);
    const next = end + scanner.breakAt(end);
    // A tab is content in the body of a prompt; elsewhere a line of blanks that begins with one is wrong too.
    if (text === end || (this.#body >= 0 && scanner.skip(text, ' \t') === end)) {
      scanner.goTo(next);
      return;
    }
    if (this.#body >= 0 && text - start >= this.#body) {
      scanner.goTo(start + this.#body);
      this.#emit('prompt_line', end);
      scanner.goTo(next);
      return;
    }
    this.#body = -1;
    const opensBody = text - start > (this.#levels.at(-1) ?? 0) && this.#afterHeader;
    scanner.goTo(text);
    if (scanner.source.startsWith(this.#comment, text) && !opensBody) {
      this.#emit('comment', next);
    } else if (scanner.source[text] === '\t') {
      this.#emitError(next, 'a tab in the indentation', 'E003');
    } else {
      this.#indent(text - start);
      if (opensBody) {
        this.#body = text - start;
        this.#emit('prompt_line', end);
        scanner.goTo(next);
      } else {
        this.#lineStart = false;
      }
    }
  }

  #indent(width: number): void {
    const levels = this.#levels;
    const at = this.#scanner.offset;
    if (width > (levels.at(-1) ?? 0)) {
      if (levels.length >= MAX_LEVELS) {
        this.#emitError(at, `indentation deeper than ${MAX_LEVELS} levels`, 'E003');
        return;
      }
      levels.push(width);
      this.#emit('indent', at);
      return;
    }
    while (levels.length > 1 && width < (levels.at(-1) ?? 0)) {
      levels.pop();
      this.#emit('dedent', at);
    }
    if (width !== levels.at(-1)) this.#emitError(at, 'indentation that matches no line above', 'E003');
  }

  #readToken(): void {
    const scanner = this.#scanner;
    const start = scanner.offset;
    const char = scanner.source[start] ?? '';
    const lineBreak = scanner.breakAt(start);
    if (lineBreak > 0) {
      this.#emit('newline', start + lineBreak);
      this.#lineStart = true;
    } else if (char === ' ' || char === '\t') {
      scanner.goTo(scanner.skip(start, ' \t'));
    } else if (scanner.source.startsWith(this.#comment, start)) {
      const end = scanner.lineEnd(start);
      this.#emit('comment', end + scanner.breakAt(end));
      this.#lineStart = true;
    } else if (char === '"') {
      this.#emitLiteral(quoted(scanner, start, this.#strict));
    } else if (char === '`') {
      this.#emitLiteral(raw(scanner, start));
    } else if (char === '|' && this.#last[0]?.text === ':') {
      this.#readBlockScalar(start);
    } else {
      this.#readPlain(start);
    }
  }

  #readBlockScalar(start: number): void {
    const literal = blockScalar(this.#scanner, start, this.#comment);
    if (literal === null) {
      this.#emitError(start + 1, 'text on the line that opens a block with `|`');
      return;
    }
    const { position } = this.#scanner;
    this.#emitLiteral(literal);
    this.#emit('newline', literal.end, undefined, position);
    this.#lineStart = true;
  }

  #readPlain(start: number): void {
    const scanner = this.#scanner;
    const word = scanner.match(WORD, start);
    if (word >= 0) return this.#emit('word', word);
    const number = scanner.match(NUMBER, start);
    if (number >= 0) {
      return this.#emit(scanner.source.slice(start, number).includes('.') ? 'float' : 'int', number);
    }
    const mark = scanner.match(MARKS[this.#profile], start);
    if (mark >= 0) return this.#emit('mark', mark);
    const char = String.fromCodePoint(scanner.source.codePointAt(start) ?? 0);
    this.#emitError(start + char.length, `the character ${nameOf(char)}`);
  }

  /** Whether the last tokens are `prompt NAME :`. Any word names a prompt. */
  #isPromptHeader(): boolean {
    const [colon, name, keyword] = this.#last;
    return (
      keyword?.text === 'prompt' && name?.kind === 'word' && colon?.kind === 'mark' && colon.text === ':'
    );
  }

  #emitLiteral(literal: Literal): void {
    if (literal.problem === undefined) this.#emit('string', literal.end, literal.value);
    else this.#emitError(literal.end, literal.problem.message, literal.problem.code);
  }

  /** Emits an error token. Its own code counts in profile 2; profile 1 has none for it. */
  #emitError(end: number, value: string, code?: ErrorCode): void {
    this.#errors += 1;
    this.#emit('error', end, value, this.#scanner.position, this.#profile === 2 ? code : undefined);
  }

  /** Emits what is written up to `end`. Its value is its text and its place is here, unless it is told otherwise. */
  #emit(kind: TokenKind, end: number, value?: string, at = this.#scanner.position, code?: ErrorCode): void {
    const scanner = this.#scanner;
    const start = scanner.offset;
    const lead = scanner.source.slice(this.#leadStart, start);
    const text = scanner.source.slice(start, end);
    scanner.goTo(end);
    this.#leadStart = end;
    if (kind !== 'newline' && kind !== 'comment') this.#afterHeader = false;
    else this.#afterHeader ||= this.#isPromptHeader();
    const plain = { kind, lead, text, value: value ?? text, at };
    const token = code === undefined ? plain : { ...plain, code };
    this.#tokens.push(token);
    this.#last = [token, this.#last[0], this.#last[1]];
  }
}

/** A character to be shown: itself in quotes, or its number when there is nothing to see. */
function nameOf(char: string): string {
  if (!/[\p{C}\p{Z}]/u.test(char)) return `\`${char}\``;
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function exceeds(source: string, bytes: number): boolean {
  if (source.length > bytes) return true;
  if (source.length * 3 <= bytes) return false;
  return byteLength(source) > bytes;
}
