import { tokensIn } from '../format/lines.ts';
import { endsLine } from '../lex/token.ts';
import { parse } from '../parse/file.ts';

/** Another layout: how wide each level is, and what stands between tokens. Both are gone through again and again. */
export interface Relay {
  readonly steps: readonly number[];
  readonly blanks: readonly string[];
}

/** The same source in another layout that means nothing. Only for sources without errors of syntax. */
export function relaid(source: string, { steps, blanks }: Relay): string {
  const levels = [0];
  let text = '';
  let breaks = 0;
  let lineStart = true;
  let turn = 0;
  for (const token of tokensIn(parse(source, 'main.bot').tree)) {
    if (token.kind === 'indent')
      levels.push((levels.at(-1) ?? 0) + (steps[levels.length % steps.length] ?? 1));
    if (token.kind === 'dedent') levels.pop();
    breaks += token.lead.split('\n').length - 1;
    if (token.text === '') continue;
    if (lineStart || breaks > 0) {
      const outside = token.kind === 'comment' && token.at.column === 1;
      text += '\n'.repeat(breaks) + ' '.repeat(outside ? 0 : (levels.at(-1) ?? 0));
    } else if (token.lead !== '') {
      text += ' ';
    } else {
      text += blanks[turn++ % blanks.length] ?? '';
    }
    text += token.text;
    breaks = 0;
    lineStart = endsLine(token);
  }
  return text;
}
