import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import { format } from '@hearth/language/format/format.ts';
import { expect, test } from 'vitest';

/*
 * The page of the language: every example compiles without a word, but for what cannot be run yet, or gets the code that
 * its block names; and each is laid out as `hearth fmt` would.
 */

const PAGE = fileURLToPath(new URL('../docs/language.md', import.meta.url));

interface Example {
  readonly line: number;
  /** The code it is there to show; empty when it is right. */
  readonly code: string;
  readonly source: string;
}

const examples: readonly Example[] = (() => {
  const text = readFileSync(PAGE, 'utf8');
  return Array.from(
    text.matchAll(/^```bot(?: ([ECH]\d{3}))?\n([\s\S]*?)^```$/gm),
    ({ index, 1: code = '', 2: source = '' }) => ({
      line: text.slice(0, index).split('\n').length,
      code,
      source,
    }),
  );
})();

/** What is said of words that compile and cannot be run yet. */
const NOT_RUN: ReadonlySet<string> = new Set(['H003', 'H006']);

test.each(examples)('the example on line $line', ({ code, source }) => {
  const { plan, diagnostics } = compileBundle({ main: source });
  const said = diagnostics.filter(one => !NOT_RUN.has(one.code));
  if (code === '') {
    expect(said).toEqual([]);
    expect(plan).not.toBeNull();
  } else {
    expect(said.map(one => one.code)).toContain(code);
  }
  expect(format(source, 'main.bot')).toEqual({ is: 'formatted', text: source });
});

test('there is an example of everything that has one', () => {
  expect(examples.length).toBeGreaterThan(12);
  expect(examples.filter(one => one.code !== '').length).toBeGreaterThan(3);
});
