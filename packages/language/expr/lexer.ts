import type { Profile } from '../lex/profile.ts';

/** A token of an expression. A string's `value` is its content. */
export interface ExprToken {
  readonly kind: 'word' | 'int' | 'float' | 'string' | 'mark' | 'end';
  readonly text: string;
  readonly value: string;
}

const SPACE = /[ \t\r\n]+/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /[0-9]+(?:\.[0-9]+)?/y;
const MARKS: Readonly<Record<Profile, RegExp>> = {
  1: /\|\||&&|==|!=|<=|>=|[<>+\-*/%!().,]/y,
  2: /\|\||&&|==|!=|<=|>=|=>|[<>+\-*/%!().,[\]]/y,
};

/** All tokens of an expression, or what is wrong with it. */
export function exprTokens(source: string, profile: Profile): readonly ExprToken[] | string {
  const tokens: ExprToken[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  while (at < source.length) {
    const space = match(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const char = String.fromCodePoint(source.codePointAt(at) ?? 0);
    const quote = quoteAt(source, at);
    const token = quote === undefined ? plain(match, profile) : quoted(source, at, quote);
    if (token === undefined) return `has \`${char}\` where no such character is allowed`;
    if (token === 'open') return 'has a string that is never closed';
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: 'end', text: '', value: '' });
  return tokens;
}

function plain(match: (pattern: RegExp) => string | undefined, profile: Profile): ExprToken | undefined {
  const word = match(WORD);
  if (word !== undefined) return { kind: 'word', text: word, value: word };
  const number = match(NUMBER);
  if (number !== undefined)
    return { kind: number.includes('.') ? 'float' : 'int', text: number, value: number };
  const mark = match(MARKS[profile]);
  return mark === undefined ? undefined : { kind: 'mark', text: mark, value: mark };
}

/**
 * The mark that begins a string. In a `"…"` that keeps its backslashes an author writes `\"` for a quote, and both
 * characters come here: together they are a mark of their own.
 */
function quoteAt(source: string, at: number): string | undefined {
  const char = source[at];
  if (char === '"' || char === "'") return char;
  return char === '\\' && source[at + 1] === '"' ? '\\"' : undefined;
}

/** Reads a string up to the mark that it began with; an escaped character other than `n` and `t` is itself. */
function quoted(source: string, start: number, quote: string): ExprToken | 'open' {
  let value = '';
  for (let at = start + quote.length; at < source.length; at += 1) {
    const char = source[at] ?? '';
    if (source.startsWith(quote, at)) {
      return { kind: 'string', text: source.slice(start, at + quote.length), value };
    }
    if (char !== '\\') {
      value += char;
      continue;
    }
    at += 1;
    const escaped = source[at] ?? '';
    value += escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped;
  }
  return 'open';
}
