import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../value.ts';
import { evaluate } from './evaluation.ts';
import { parseExpr } from './parser.ts';

const MAX = '9223372036854775807';

/** The value of an expression over an input, or why it has none. */
const run = (source: string, input: Record<string, Value> = {}): Value => {
  const parsed = parseExpr(source);
  if (!parsed.ok) return `no expression: ${parsed.problem}`;
  const result = evaluate(parsed.expr, { input });
  return result.ok ? result.value : `error: ${result.error.message}`;
};

describe('a number is the one that was written, or refused', () => {
  test.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['0000000000000000000000000007', 7],
    ['0.1', 0.1],
    ['9007199254740993 == 9007199254740992', false],
    ['9007199254740993 > 9007199254740992', true],
    ['9007199254740993 == 9007199254740993', true],
    [`${MAX} > 1.5`, true],
    [`${MAX} == 1.5`, false],
    [`${MAX} && true`, true],
    [`"at most " + ${MAX}`, `at most ${MAX}`],
    [`${MAX} - ${MAX}`, 0],
    [`${MAX} / 1000000000000`, 9223372],
    [`${MAX} % 10`, 7],
    ['(9007199254740991 + 1) - 1', 9007199254740991],
    [`0 - ${MAX} - 1 < -1`, true],
    [`if(true, ${MAX}, 0) == ${MAX}`, true],
  ])('%s', (source, expected) => {
    expect(run(source)).toBe(expected);
  });

  test.each([
    '9223372036854775808',
    '9'.repeat(400),
    `${'9'.repeat(400)}.5`,
    '99999999999999999999999999 + 1',
  ])('%s is no number', source => {
    expect(run(source)).toMatch(/^no expression: has the number 9\d*, which is too large$/);
  });

  test('what a value cannot hold exactly never becomes one', () => {
    expect(run('9007199254740992')).toMatch(/^error: the whole number 9007199254740992 is too large/);
    expect(run('length("a") + 9007199254740992')).toMatch(/^error: /);
  });
});

describe('64 bits', () => {
  test.each([
    `${MAX} + 1`,
    `0 - ${MAX} - 2`,
    `${MAX} * 2`,
    `-(0 - ${MAX} - 1)`,
    '3037000500 * 3037000500',
    `(0 - ${MAX} - 1) / -1`,
  ])('%s overflows', source => {
    expect(run(source)).toBe('error: the whole number overflows 64 bits');
  });

  test.each<[string, Value]>([
    ['1 / 0', 'error: `/` by zero'],
    ['1 % 0', 'error: `%` by zero'],
    ['0 / 0', 'error: `/` by zero'],
    ['1.5 / 0', 'error: `/` by zero'],
    ['1 / 0.0', 'error: `/` by zero'],
    ['1.5 % 0.0', 'error: `%` by zero'],
    ['7 / 2', 3],
    ['-7 / 2', -3],
    ['7 / -2', -3],
    ['-7 / -2', 3],
    ['7 % 3', 1],
    ['-7 % 3', -1],
    ['7 % -3', 1],
    ['-7 % -3', -1],
    ['5.0 / 2', 2],
    ['5 / 2.0', 2],
    ['5.0 / 2.5', 2],
    ['5.5 / 2', 2.75],
    ['5.0 % 3', 2],
    ['5.5 % 2', 'error: `%` takes whole numbers'],
    ['0.5 + 0.5', 1],
    ['(0.5 + 0.5) / 2', 0],
    ['1 == 1.0', true],
    ['1 != 1.5', true],
    ['0.1 + 0.2', 0.30000000000000004],
  ])('%s', (source, expected) => {
    expect(run(source)).toBe(expected);
  });

  test('a value beyond 64 bits is a float', () => {
    expect(run('big / 10', { big: 1e300 })).toBe(1e299);
    expect(run('big % 10', { big: 1e300 })).toBe('error: `%` takes whole numbers');
    expect(run('big * big', { big: 1e300 })).toBe('error: the number is too large');
  });
});

test('any two integers of 64 bits: the result is exact, or an overflow', () => {
  const wide = fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n });
  const written = (value: bigint): string => (value < 0n ? `(-${-value})` : `${value}`);
  const ops = { '+': (a: bigint, b: bigint) => a + b, '-': (a: bigint, b: bigint) => a - b } as const;
  fc.assert(
    fc.property(wide, wide, fc.constantFrom<keyof typeof ops>('+', '-'), (a, b, op) => {
      const exact = ops[op](a, b);
      const fits = exact >= -(2n ** 63n) && exact < 2n ** 63n;
      expect(run(`"" + (${written(a)} ${op} ${written(b)})`)).toBe(
        fits ? `${exact}` : 'error: the whole number overflows 64 bits',
      );
      expect(run(`${written(a)} < ${written(b)}`)).toBe(a < b);
      expect(run(`${written(a)} == ${written(b)}`)).toBe(a === b);
    }),
  );
});
