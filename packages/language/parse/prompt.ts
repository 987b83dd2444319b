import { describe } from '../lex/token.ts';
import { type Declaration, readDeclaration } from './header.ts';
import type { Parser, Spanned } from './parser.ts';

/** A prompt as written: its text without the indentation that all its lines share. */
export interface PromptSyntax extends Declaration<'prompt'> {
  /** The lines of its body. Joined with line breaks they are the prompt's text. */
  readonly lines: readonly Spanned<string>[];
}

/** `prompt NAME:` and an indented body of plain text. */
export function readPrompt(parser: Parser): PromptSyntax | undefined {
  return readDeclaration(parser, 'prompt', () => readBody(parser), 'refused');
}

function readBody(parser: Parser): { lines: readonly Spanned<string>[] } | undefined {
  const lines: Spanned<string>[] = [];
  let strayed = false;
  const ok = parser.block('the text of the prompt', () => {
    const { token } = parser;
    if (token.kind === 'prompt_line') {
      if (parser.profile === 2) addBlankLines(lines, token.at.line);
      parser.take();
      lines.push({ value: token.value, at: token.at });
      return;
    }
    // One report for a body is enough.
    if (!strayed) parser.error('E001', token.at, `${describe(token)} is not read as a prompt's text`);
    strayed = true;
    parser.skipEntry();
  });
  return ok ? { lines } : undefined;
}

/** Profile 2 keeps the blank lines between two lines of text; no token stands for them, and one object for a gap. */
function addBlankLines(lines: Spanned<string>[], until: number): void {
  const last = lines.at(-1);
  if (last === undefined) return;
  for (let line = last.at.line + 1; line < until; line += 1)
    lines.push({ value: '', at: { line, column: 1 } });
}
