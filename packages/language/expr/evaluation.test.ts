import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../value.ts';
import { evaluate, type Scope } from './evaluation.ts';
import { parseExpr } from './parser.ts';

const SCOPE: Scope = {
  input: { approved: true, n: 3, list: ['a', 'b', 'a'], map: { x: { y: 1 } }, text: 'été', nothing: null },
  vars: { mode: 'fast' },
  outputs: { a: { ok: false, items: [1, 2] } },
  loop: { l: { iteration: 2 } },
};

/** The value of an expression, or the word `error`. */
const run = (source: string, scope: Scope = SCOPE): Value => {
  const parsed = parseExpr(source);
  if (!parsed.ok) return `no expression: ${parsed.problem}`;
  const result = evaluate(parsed.expr, scope);
  return result.ok ? result.value : 'error';
};

describe('values', () => {
  test.each<[string, Value]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['7 - 2 - 1', 4],
    ['5.0 / 2', 2],
    ['-7 / 2', -3],
    ['-7 % 3', -1],
    ['7 % -3', 1],
    ['5.5 / 2', 2.75],
    ['5.5 % 2', 'error'],
    ['1 / 0', 'error'],
    ['1.5 / 0.0', 'error'],
    ['9007199254740991 + 1', 'error'],
    ['3037000500 * 3037000500', 'error'],
    ['--3', 3],
    ['-"x"', 'error'],
    ["'a' + 'b' + 1", 'ab1'],
    ['1 + "a"', '1a'],
    ['"a" + true', 'error'],
    ['1 + null', 'error'],
    ['true + 1', 'error'],
    ['1 == 1.0', true],
    ['"1" == 1', false],
    ['nothing == missing', true],
    ['list == list', false],
    ['list != list', true],
    ['1 < 2', true],
    ['"a" < "b"', true],
    ['"\u{ff5e}" < "\u{1f600}"', true],
    ['"a" <= "a"', true],
    ['"ab" > "a"', true],
    ['1 < "2"', 'error'],
    ['true && "no"', false],
    ['"yes" || 1 / 0', true],
    ['false and 1 / 0', false],
    ['0 or "0"', false],
    ['!a == b', false],
    ['not approved == true', false],
    ['!" FALSE "', true],
    ['!list', false],
    ['!map.x', false],
    ['approved', true],
    ['input.approved', true],
    ['vars.mode', 'fast'],
    ['outputs.a.ok', false],
    ['outputs.ghost.ok', null],
    ['map.x.y.z', null],
    ['text.length', null],
    ['loop.l.iteration + 1', 3],
    ['constructor', null],
    ['outputs.constructor.name', null],
    ['length(list)', 3],
    ['length(text)', 5],
    ['length(nothing)', 0],
    ['length(map)', 1],
    ['length(n)', 'error'],
    ['length()', 'error'],
    ['concat(list, nothing, outputs.a.items)', ['a', 'b', 'a', 1, 2]],
    ['concat()', 'error'],
    ['concat("x")', 'error'],
    ['unique(list)', ['a', 'b']],
    ['unique(nothing)', []],
    ['contains(list, "b")', true],
    ['contains(outputs.a.items, "1")', true],
    ['contains(nothing, 1)', false],
    ['contains("abc", "b")', 'error'],
    ['join(list, "-")', 'a-b-a'],
    ['join(nothing, ",")', ''],
    ['join(list, 1)', 'error'],
    ['if(approved, 1, 1 / 0)', 1],
    ['if(false, 1 / 0, 2)', 2],
    ['if(true, 1)', 'error'],
    ['"\\n\\t\\q\\""', '\n\tq"'],
    // As it comes out of a string that keeps its backslashes.
    ['\\"fast\\" == vars.mode', true],
    ['text + \\"\'b\\n\\"', "été'b\n"],
    [' 1\n+\r\n2 ', 3],
  ])('%s', (source, expected) => {
    expect(run(source)).toEqual(expected);
  });
});

describe('what is no expression', () => {
  test.each([
    ['1 +', 'ends where a value is expected'],
    ['1 + !x', 'has `!` where a value is expected'],
    ['1 < 2 < 3', 'compares twice in a row; join two comparisons with `and`'],
    ['a b', 'has `b` after its end'],
    ['a & b', 'has `&` where no such character is allowed'],
    ['a = b', 'has `=` where no such character is allowed'],
    ['a | b', 'has `|` where no such character is allowed'],
    ['nope(1)', 'calls the unknown function `nope`'],
    ['(1', 'ends where `)` is expected'],
    ['"open', 'has a string that is never closed'],
    ['\\"open"', 'has a string that is never closed'],
    ['\\x', 'has `\\` where no such character is allowed'],
    ['a[0]', 'has `[` where no such character is allowed'],
    ['a.1', 'has a dot without a name after it'],
    ['été', 'has `é` where no such character is allowed'],
    ['', 'ends where a value is expected'],
    ['a and', 'ends where a value is expected'],
  ])('%j', (source, problem) => {
    expect(parseExpr(source)).toMatchObject({ ok: false, problem });
  });

  test('a function that was probably meant', () => {
    expect(parseExpr('lenght(x)')).toMatchObject({ fix: 'did you mean `length`?' });
  });

  test.each(['(', '!', '-', 'not ', 'length('])('nesting of %j is bounded', opener => {
    expect(parseExpr(`${opener.repeat(300)}1`)).toMatchObject({
      ok: false,
      problem: 'is nested deeper than 256 levels',
    });
  });

  test('length is bounded, and what fits can be evaluated and stored', () => {
    expect(parseExpr(`1${'+1'.repeat(3000)}`)).toMatchObject({ ok: false });
    const long = parseExpr(`1${'+1'.repeat(2000)}`);
    expect(run(`1${'+1'.repeat(2000)}`)).toBe(2001);
    const expr = long.ok ? long.expr : null;
    expect(JSON.parse(JSON.stringify(expr))).toEqual(expr);
  });
});

const int = fc.integer({ min: -1_000_000, max: 1_000_000 });

test('integers: quotient and remainder make up the dividend, toward zero', () => {
  fc.assert(
    fc.property(int, int, (a, b) => {
      fc.pre(b !== 0);
      const scope: Scope = { input: { a, b } };
      const quotient = Number(run('a / b', scope));
      expect(Object.is(quotient, Math.trunc(a / b) || 0)).toBe(true);
      expect(run('(a / b) * b + a % b == a', scope)).toBe(true);
      expect(run('a - b == -(b - a)', scope)).toBe(true);
    }),
  );
});

test('an integer result is exact or an error', () => {
  const wide = fc.maxSafeInteger();
  fc.assert(
    fc.property(wide, wide, fc.constantFrom('+', '-', '*'), (a, b, op) => {
      const exact = { '+': BigInt(a) + BigInt(b), '-': BigInt(a) - BigInt(b), '*': BigInt(a) * BigInt(b) }[
        op
      ];
      const value = run(`a ${op} b`, { input: { a, b } });
      if (value === 'error') expect(Number.isSafeInteger(Number(exact))).toBe(false);
      else expect(BigInt(Number(value))).toBe(exact);
    }),
  );
});

test('any text parses or says why not, and what parses evaluates', () => {
  const piece = fc.constantFrom(
    ...'1 2.5 "x" \'y\' + - * / % == != < <= && || ! not and or ( ) , . a input vars true false length( if( join( concat( unique('.split(
      ' ',
    ),
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 20 }).map(parts => parts.join(' ')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(text, fc.dictionary(fc.constantFrom('a', 'x'), fc.jsonValue()), (source, input) => {
      const parsed = parseExpr(source);
      expect(parsed.ok || parsed.problem.length > 0).toBe(true);
      if (!parsed.ok) return;
      const result = evaluate(parsed.expr, { input: input as Record<string, Value> });
      if (result.ok) expect(() => JSON.stringify(result.value)).not.toThrow();
    }),
  );
});
