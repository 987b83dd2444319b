import { compileBundle } from '@hearth/language/compile/compile.ts';
import { parse } from '@hearth/language/parse/file.ts';
import { print } from '@hearth/language/parse/tree.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstMisread } from '../support/mutated-sources.ts';

/* The long runs of what `npm test` samples. */

/**
 * How many texts of words are read, and how many mutated sources; the two variables override it. A text takes 0.3 ms of a core,
 * a source 0.7 ms.
 */
const TEXTS = Number(process.env['HEARTH_TEXTS'] ?? 1_000_000);
const MUTATIONS = Number(process.env['HEARTH_MUTATIONS'] ?? 1_000_000);
/** Only a guard against hanging. */
const TIMEOUT = 6 * 3_600_000;

const words = fc.constantFrom(
  'agent',
  'compute',
  'human',
  'schema',
  'prompt',
  'vars',
  'workflow',
  'a',
  'b',
  ':',
  '\n',
  '\n  ',
  '\n    ',
  ' ',
  '->',
  'when',
  'with',
  '{',
  '}',
  'as',
  'loop(3)',
  '"x"',
  '"{{input.a}}"',
  '{{',
  '}}',
  '|',
  '`',
  '##',
  'done',
  'fail',
  'entry',
  'output',
  '[',
  ']',
  ',',
  '1',
  '-',
  '\t',
  'é',
  '\u{1F600}',
  '"',
  '\\',
  'true',
  'string',
  'budget',
  'lifetime',
);

describe('the language, at length', () => {
  it(`gives a lossless tree and a verdict for ${TEXTS} texts`, { timeout: TIMEOUT }, () => {
    const text = fc.oneof(
      fc.array(words, { maxLength: 120 }).map(parts => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 300 }),
    );
    fc.assert(
      fc.property(text, source => {
        expect(print(parse(source, 'main.bot').tree)).toBe(source);
        const { plan, diagnostics } = compileBundle({ main: source });
        expect(plan === null).toBe(diagnostics.some(diagnostic => diagnostic.severity === 'error'));
      }),
      { numRuns: TEXTS },
    );
  });
  it(`reads ${MUTATIONS} mutated sources without a throw and without loss`, { timeout: TIMEOUT }, () => {
    expect(firstMisread(20_000, MUTATIONS)).toBeUndefined();
  });
});
