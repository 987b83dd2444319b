import { expect, test } from 'vitest';
import { isLaidOutEasily } from './layout.ts';

test.each([
  ['nothing', ''],
  ['prose', 'Some *words*, **bold** ones and a [link](https://example.org).\n\n'.repeat(900)],
  ['a long list', '- item with `code` and **words**\n'.repeat(500)],
  ['a list in a list in a list', '- a\n  - b\n    1. c\n       - d\n\n> - quoted\n> > twice'],
  ['a table', `|a|b|c|\n|-|-|-|\n${'|1|2|3|\n'.repeat(400)}`],
  ['code that is far to the right', `\`\`\`\n${' '.repeat(100)}x = [1, 2]\n\`\`\``],
  ['a rule', '*'.repeat(200)],
])('%s is laid out', (_name, text) => {
  expect(isLaidOutEasily(text)).toBe(true);
});

test.each([
  ['quotes in quotes', '>'.repeat(1000)],
  ['items in items on one line', `${'- '.repeat(2000)}x`],
  ['numbers in quotes in items', `${'- > 1. '.repeat(50)}x`],
  [
    'items in items below one another',
    Array.from({ length: 80 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n'),
  ],
  ['the same with tabs', Array.from({ length: 30 }, (_, at) => `${'\t'.repeat(at)}- x`).join('\n')],
  ['stars that never end', '*a **b '.repeat(4000)],
  ['a line of underscores', '_'.repeat(8000)],
  ['brackets', '['.repeat(8000)],
  ['a table of nothing', '|'.repeat(20_000)],
])('%s are not', (_name, text) => {
  expect(isLaidOutEasily(text)).toBe(false);
});
