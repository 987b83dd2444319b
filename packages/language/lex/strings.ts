import { withoutLeading } from '../ends.ts';
import type { Scanner } from './scanner.ts';
import type { ErrorCode } from './token.ts';

/** A string literal found at an offset: where it ends and what it means, or why it is none. */
export interface Literal {
  readonly end: number;
  readonly value: string;
  readonly problem?: Problem;
}

/** What is wrong with a string literal. */
export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
};

const NOT_CLOSED: Problem = { code: 'E004', message: 'a string that is not closed on its line' };
const NEVER_CLOSED: Problem = { code: 'E004', message: 'a backtick string that is never closed' };

/** Whether the leading comments ask for real escapes. Without that a backslash is kept as written. */
export function asksForStrictEscapes(source: string): boolean {
  for (const line of source.replace(/^\uFEFF/, '').split('\n', 32)) {
    const text = line.trim();
    if (text === '') continue;
    if (!text.startsWith('##')) return false;
    if (isStrictEscapes(text)) return true;
  }
  return false;
}

/** Whether a comment is the one that asks for real escapes. */
export function isStrictEscapes(comment: string): boolean {
  return /^strict-escape(?:: ?| = )on$/.test(withoutLeading(comment, '#').trim());
}

/**
 * Reads `"…"`, which stays on one line. An escaped quote does not end it, in either mode; where a backslash is kept as
 * written, so is the line break after it.
 */
export function quoted(scanner: Scanner, start: number, strict: boolean): Literal {
  const { source } = scanner;
  let value = '';
  let problem: Problem | undefined;
  for (let at = start + 1; ; ) {
    const char = source[at];
    if (char === undefined || scanner.breakAt(at) > 0) {
      return { end: at, value: '', problem: NOT_CLOSED };
    }
    if (char === '"') {
      const end = at + 1;
      return problem === undefined ? { end, value } : { end, value: '', problem };
    }
    if (char !== '\\') {
      value += char;
      at += 1;
      continue;
    }
    const next = source[at + 1];
    const lineBreak = scanner.breakAt(at + 1);
    if (next === undefined || (strict && lineBreak > 0)) {
      return { end: at + 1, value: '', problem: NOT_CLOSED };
    }
    const escape = Object.hasOwn(ESCAPES, next) ? ESCAPES[next] : undefined;
    if (!strict) value += lineBreak > 0 ? '\\\n' : char + next;
    else if (escape !== undefined) value += escape;
    else problem ??= { code: 'E005', message: `a string with the unknown escape \`\\${next}\`` };
    at += 1 + Math.max(1, lineBreak);
  }
}

/** Reads a backtick string, which may span lines and knows no escapes. */
export function raw(scanner: Scanner, start: number): Literal {
  const close = scanner.source.indexOf('`', start + 1);
  if (close < 0) {
    return { end: scanner.source.length, value: '', problem: NEVER_CLOSED };
  }
  return { end: close + 1, value: scanner.source.slice(start + 1, close).replaceAll('\r\n', '\n') };
}

/**
 * Reads a block scalar that opens with `|`. The first line with text fixes the column that is stripped; it is not
 * compared with the parent's indentation. Blank lines count once there is text, trailing ones too. `null` when the line
 * of the `|` holds more than a comment.
 */
export function blockScalar(scanner: Scanner, start: number, comment: string): Literal | null {
  const { source } = scanner;
  const opened = scanner.lineEnd(start);
  const rest = scanner.skip(start + 1, ' \t');
  if (rest < opened && !source.startsWith(comment, rest)) return null;
  let at = opened + scanner.breakAt(opened);
  let strip = -1;
  const lines: string[] = [];
  while (at < source.length) {
    const end = scanner.lineEnd(at);
    const text = scanner.skip(at, ' ');
    const blank = scanner.skip(text, ' \t') === end;
    if (!blank) {
      if (strip < 0) strip = text - at;
      if (text - at < strip) break;
      lines.push(`${' '.repeat(text - at - strip)}${source.slice(text, end)}\n`);
    } else if (strip >= 0) {
      lines.push('\n');
    }
    at = end + scanner.breakAt(end);
  }
  return { end: at, value: lines.join('') };
}
