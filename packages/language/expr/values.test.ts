import { describe, expect, test } from 'vitest';
import type { Value } from '../value.ts';
import { evaluate } from './evaluation.ts';
import { parseExpr } from './parser.ts';

/* What values mean to operators, sentence by sentence of profile 1. */

const run = (source: string, input: Record<string, Value> = {}): Value => {
  const parsed = parseExpr(source);
  if (!parsed.ok) return `no expression: ${parsed.problem}`;
  const result = evaluate(parsed.expr, { input });
  return result.ok ? result.value : 'error';
};

describe('truth', () => {
  test.each<[Value, boolean]>([
    [null, false],
    [false, false],
    [true, true],
    [0, false],
    [-0, false],
    [0.5, true],
    [-1, true],
    ['', false],
    ['  ', false],
    ['false', false],
    [' FALSE\n', false],
    ['no', false],
    ['No', false],
    ['0', false],
    [' 0 ', false],
    ['0.0', true],
    ['00', true],
    ['off', true],
    ['n', true],
    ['null', true],
    [[], false],
    [[0], true],
    [{}, false],
    [{ a: null }, true],
  ])('%j is %s', (value, truth) => {
    expect(run('!!v', { v: value })).toBe(truth);
    expect(run('v && true', { v: value })).toBe(truth);
    expect(run('v || false', { v: value })).toBe(truth);
    expect(run('if(v, 1, 2)', { v: value })).toBe(truth ? 1 : 2);
  });
});

describe('equality', () => {
  test.each<[Value, Value, boolean]>([
    [1, 1, true],
    [1, 1.5, false],
    ['a', 'a', true],
    ['a', 'A', false],
    [true, true, true],
    [true, 1, false],
    ['true', true, false],
    ['1', 1, false],
    ['', null, false],
    [0, null, false],
    [false, null, false],
    [null, null, true],
    [[], [], false],
    [{}, {}, false],
    [[1], '1', false],
  ])('%j == %j is %s', (left, right, equal) => {
    expect(run('l == r', { l: left, r: right })).toBe(equal);
    expect(run('r == l', { l: left, r: right })).toBe(equal);
    expect(run('l != r', { l: left, r: right })).toBe(!equal);
  });
});

describe('order', () => {
  test.each<[Value, Value, Value]>([
    [1, 2, true],
    [2, 1, false],
    [1, 1, false],
    [1.5, 2, true],
    ['a', 'b', true],
    ['B', 'a', true],
    ['', 'a', true],
    ['10', '9', true],
    ['é', 'z', false],
    [1, '2', 'error'],
    [null, 1, 'error'],
    [true, false, 'error'],
    [[1], [2], 'error'],
  ])('%j < %j is %s', (left, right, less) => {
    expect(run('l < r', { l: left, r: right })).toBe(less);
    expect(run('r > l', { l: left, r: right })).toBe(less);
    expect(run('l >= r', { l: left, r: right })).toBe(less === 'error' ? less : !less);
  });
});

describe('binding, weakest first', () => {
  test.each([
    ['a or b and c', 'a or (b and c)'],
    ['a || b && c', 'a || (b && c)'],
    ['not a and b', '(not a) and b'],
    ['!a == b', '!(a == b)'],
    ['not a == b or c', '(not (a == b)) or c'],
    ['a == b + c', 'a == (b + c)'],
    ['a + b * c', 'a + (b * c)'],
    ['a - b - c', '(a - b) - c'],
    ['a / b / c', '(a / b) / c'],
    ['-a + b', '(-a) + b'],
    ['-a.b', '-(a.b)'],
    ['a and not b', 'a and (not b)'],
  ])('%s is %s', (loose, tight) => {
    expect(parseExpr(loose)).toMatchObject({ ok: true, expr: exprOf(tight) });
  });

  function exprOf(source: string): object {
    const parsed = parseExpr(source);
    return parsed.ok ? parsed.expr : {};
  }
});

describe('short cuts', () => {
  test.each<[string, Value]>([
    ['false && 1 / 0', false],
    ['true || 1 / 0', true],
    ['true && 1 / 0', 'error'],
    ['if(true, 1, 1 / 0)', 1],
    ['if(1 / 0, 1, 2)', 'error'],
  ])('%s', (source, expected) => {
    expect(run(source)).toBe(expected);
  });
});

describe('names', () => {
  test.each<[string, readonly string[]]>([
    ['approved', ['input', 'approved']],
    ['input.approved', ['input', 'approved']],
    ['vars.x', ['vars', 'x']],
    ['attachments.x', ['input', 'attachments', 'x']],
    ['secrets.x', ['input', 'secrets', 'x']],
    ['if', ['input', 'if']],
    ['outputs', ['outputs']],
  ])('%s', (source, path) => {
    expect(parseExpr(source)).toMatchObject({ ok: true, expr: { is: 'path', path } });
  });

  test.each(['a.', '.a', 'a..b', 'a.1', 'a-b.c(', 'vars(1)', 'and(a)', 'true.x', 'a.not', 'input.true'])(
    '%s is none',
    source => {
      expect(parseExpr(source).ok).toBe(false);
    },
  );
});

describe('text', () => {
  test.each<[string, Value]>([
    [`'it''s'`, "no expression: has `'s'` after its end"],
    [`'a\\'b'`, "a'b"],
    [`"a\\"b"`, 'a"b'],
    [`'a\\\\b'`, 'a\\b'],
    [`'a\\nb\\tc\\rd'`, 'a\nb\tcrd'],
    [`'{{x}} \${Y} #'`, '{{x}} ${Y} #'],
    [`'two\nlines'`, 'two\nlines'],
    [`'open\\'`, 'no expression: has a string that is never closed'],
    [`'é' + "😀"`, 'é😀'],
    [`'n' + 1.5`, 'n1.5'],
    [`5.0 + ''`, '5'],
  ])('%s', (source, expected) => {
    expect(run(source)).toBe(expected);
  });
});
