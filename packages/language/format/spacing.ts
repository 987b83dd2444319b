import type { Token } from '../lex/token.ts';

/** Marks with no blank before them, and marks with none after them. */
const TIGHT_BEFORE: ReadonlySet<string> = new Set([',', ':', ')', ']', '.', '(']);
const TIGHT_AFTER: ReadonlySet<string> = new Set(['(', '[', '.']);

/** Kinds of tokens that never touch the next one, unless both are part of something unknown. */
const OPAQUE: ReadonlySet<Token['kind']> = new Set(['int', 'float', 'error']);

/** Joins the tokens of one line with the blanks of the house style. */
export function joined(tokens: readonly Token[]): string {
  let text = '';
  let before: Token | undefined;
  for (const token of tokens) {
    if (before !== undefined && !isTight(before, token)) text += ' ';
    text += token.text.replaceAll('\r\n', '\n');
    before = token;
  }
  return text;
}

function isTight(left: Token, right: Token): boolean {
  // What is no word of this version, such as `3s`, is written as it was: parting it could mean something else.
  if (right.lead === '' && (OPAQUE.has(left.kind) || right.kind === 'error') && right.kind !== 'mark')
    return true;
  if (right.lead === '' && left.text === '-' && OPAQUE.has(right.kind)) return true;
  return (
    (right.kind === 'mark' && TIGHT_BEFORE.has(right.text)) ||
    (left.kind === 'mark' && TIGHT_AFTER.has(left.text))
  );
}
