import { describe } from '../lex/token.ts';
import { type Declaration, readDeclaration } from './header.ts';
import type { Parser, Spanned } from './parser.ts';

export interface PromptSyntax extends Declaration<'prompt'> {
  /** The lines of its body. Joined with line breaks they are the prompt's text. */
  readonly lines: readonly Spanned<string>[];
}

/** `prompt NAME:` and an indented body of plain text. */
export function readPrompt(parser: Parser): PromptSyntax | undefined {
  return readDeclaration(parser, 'prompt', () => readBody(parser), 'refused');
}

const TRAP =
  'a prompt is named by a word that is no keyword, and neither a comment on its header line nor a first line that begins with `##` is allowed';

function readBody(parser: Parser): { lines: readonly Spanned<string>[] } | undefined {
  const lines: Spanned<string>[] = [];
  let strayed = false;
  const ok = parser.block('the text of the prompt', () => {
    const { token } = parser;
    if (token.kind === 'prompt_line') {
      parser.take();
      lines.push({ value: token.value, at: token.at });
      return;
    }
    // One report per body: when body mode was not entered, every token of it is stray.
    if (!strayed) parser.error('E001', token.at, `${describe(token)} is not read as a prompt's text`, TRAP);
    strayed = true;
    parser.skipEntry();
  });
  return ok ? { lines } : undefined;
}
