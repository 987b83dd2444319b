import type { Token } from '../lex/token.ts';

/** Marks with no blank before them, and marks with none after them. */
const TIGHT_BEFORE: ReadonlySet<string> = new Set([',', ':', ')', ']', '.', '(']);
const TIGHT_AFTER: ReadonlySet<string> = new Set(['(', '[', '.']);

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
  return (
    (right.kind === 'mark' && TIGHT_BEFORE.has(right.text)) ||
    (left.kind === 'mark' && TIGHT_AFTER.has(left.text))
  );
}
