import type { Position } from '../diagnostic.ts';

/*
 * Tokens lose nothing: joining `lead + text` of all tokens of a source gives the source back, character by character.
 */

/** What a token is; `indent` and `dedent` stand where the depth of lines changes. */
export type TokenKind =
  | 'word'
  | 'int'
  | 'float'
  | 'string'
  | 'mark'
  | 'prompt_line'
  | 'comment'
  | 'newline'
  | 'indent'
  | 'dedent'
  | 'error'
  | 'eof';

/** One token with the text it was read from and its place. */
export interface Token {
  readonly kind: TokenKind;
  /** What stands before the token and means nothing: blanks, blank lines, a byte order mark. */
  readonly lead: string;
  /** The token as written. Empty for tokens that only mark layout. */
  readonly text: string;
  /** What it means: a string's content, a prompt line with its own indentation, an error's message; else the text. */
  readonly value: string;
  readonly at: Position;
  /** The code of an error that has one of its own, in profile 2. */
  readonly code?: ErrorCode;
}

/** E003: indentation; E004: a string that is not closed; E005: an unknown escape. */
export type ErrorCode = 'E003' | 'E004' | 'E005';

/** Names a token for a message. */
export function describe(token: Token): string {
  switch (token.kind) {
    case 'word':
      return `the word \`${clip(token.text)}\``;
    case 'int':
    case 'float':
      return `the number ${clip(token.text)}`;
    case 'string':
      return 'a string';
    case 'mark':
      return `\`${token.text}\``;
    case 'prompt_line':
      return 'text';
    case 'comment':
    case 'newline':
      return 'the end of the line';
    case 'indent':
      return 'an indented line';
    case 'dedent':
      return 'the end of the block';
    case 'error':
      return token.value;
    case 'eof':
      return 'the end of the file';
  }
}

/** Whether the token ends a logical line: a comment swallows its line break. */
export function endsLine(token: Token): boolean {
  return token.kind === 'newline' || token.kind === 'comment';
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
