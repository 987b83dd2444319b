import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../value.ts';
import { evaluate, type Scope } from './evaluation.ts';
import { parseExpr } from './parser.ts';
import { ANY, type TypeFault, typeOf } from './typing.ts';

/* What expressions have in profile 2 only: the index, lambdas, null and further functions. */

const SCOPE: Scope = {
  input: {
    n: 3,
    f: 2.5,
    text: 'x',
    list: [3, 1, 2],
    words: ['b', 'a'],
    rows: [
      { name: 'x', size: 2 },
      { name: 'y', size: 5 },
    ],
    map: { b: 1, a: 2 },
    nested: [[1], 2, [3, [4]]],
    nothing: null,
  },
};

const run = (source: string): Value => {
  const parsed = parseExpr(source, 2);
  if (!parsed.ok) return `no expression: ${parsed.problem}`;
  const result = evaluate(parsed.expr, SCOPE);
  return result.ok ? result.value : `error: ${result.error.message}`;
};

describe('values', () => {
  test.each<[string, Value]>([
    ['list[0]', 3],
    ['list[n - 1]', 2],
    ['list[9]', null],
    ['list[-1]', null],
    ['rows[1].name', 'y'],
    ['rows[0].size + rows[1].size', 7],
    ['map["a"]', 2],
    ['map["zzz"]', null],
    ["map['a'][0]", 'error: `[…]` reads from a list or a map, not a number'],
    ['nothing[0]', null],
    ['nothing[0].name[1]', null],
    ['text[0]', 'error: `[…]` reads from a list or a map, not a string'],
    ['list["a"]', 'error: an element of a list has a whole number, not a string'],
    ['list[f]', 'error: an element of a list has a whole number, not a number'],
    ['map[0]', 'error: an element of a map has a string as its key, not a number'],
    ['map["constructor"]', null],
    ['-list[0]', -3],
    ['(list)[1]', 1],
    ['sort(list)[0]', 1],
    ['nothing == null', true],
    ['null', null],
    ['length(null)', 0],
    ['map(list, v => v * 2)', [6, 2, 4]],
    ['map(rows, r => r.name)', ['x', 'y']],
    ['filter(list, v => v > 1)', [3, 2]],
    ['filter(rows, r => r.size > n)', [{ name: 'y', size: 5 }]],
    ['reduce(list, (sum, v) => sum + v, 0)', 6],
    ['reduce(nothing, (sum, v) => sum + v, "none")', 'none'],
    ['map(list, v => map(list, w => v + w)[0])', [6, 4, 5]],
    ['map(list, n => n)', [3, 1, 2]],
    ['map(list, v => n)', [3, 3, 3]],
    ['map(rows, input => input.size)', [2, 5]],
    ['tail(list, 2)', [1, 2]],
    ['tail(list, 0)', []],
    ['tail(list, 9)', [3, 1, 2]],
    ['sort(list)', [1, 2, 3]],
    ['sort(words)', ['a', 'b']],
    ['sort(concat(list, words))', 'error: cannot compare a string with a number'],
    ['keys(map)', ['a', 'b']],
    ['values(map)', [2, 1]],
    ['keys(nothing)', []],
    ['keys(list)', 'error: `keys` takes a map, not a list'],
    ['slice(list, 1)', [1, 2]],
    ['slice(list, 0, 2)', [3, 1]],
    ['slice(list, -1)', [2]],
    ['slice(list, f)', 'error: `slice` takes a whole number, not 2.5'],
    ['sum(list)', 6],
    ['sum(nothing)', 0],
    ['sum(words)', 'error: `sum` takes numbers, not a string'],
    ['min(list)', 1],
    ['max(list)', 3],
    ['min(3, 1, 2)', 1],
    ['max("a", "b")', 'b'],
    ['max(nothing)', null],
    ['max(n)', 3],
    ['max(1, "a")', 'error: cannot compare a string with a number'],
    ['max(true)', 'error: cannot compare a boolean with a boolean'],
    ['flatten(nested)', [1, 2, 3, [4]]],
    ['floor(f)', 2],
    ['floor(-0.5)', -1],
    ['round(f)', 3],
    ['round(-2.5)', -3],
    ['round(2.4)', 2],
    ['floor("a")', 'error: `floor` takes numbers, not a string'],
    ['map(list, 1)', 'error: `map` takes something like `v => v.field` as its second argument'],
    ['tail(list)', 'error: `tail` takes 2 arguments, not 1'],
    ['slice(list)', 'error: `slice` takes 2 to 3 arguments, not 1'],
    ['min()', 'error: `min` takes at least 1 argument, not 0'],
  ])('%s', (source, expected) => {
    expect(run(source)).toEqual(expected);
  });
});

describe('what is no expression', () => {
  test.each([
    ['list[', 'ends where a value is expected'],
    ['list[]', 'has `]` where a value is expected'],
    ['list[0', 'ends where `]` is expected'],
    ['list[0].', 'has a dot without a name after it'],
    ['v => v', 'has `=>` after its end'],
    ['length(v => v)', 'has `=>` in `length`; only map, filter, reduce take it'],
    ['map(list, (a, b) => a)', 'has 2 names before `=>` in `map`, which gives 1'],
    ['reduce(list, v => v, 0)', 'has 1 names before `=>` in `reduce`, which gives 2'],
    ['map(list, () => 1)', 'has `)` where a value is expected'],
    ['null(1)', 'has `(` after its end'],
  ])('%j', (source, problem) => {
    expect(parseExpr(source, 2)).toMatchObject({ ok: false, problem });
  });

  test.each(['list[0]', 'sum(list)', 'max(1, 2)'])(
    '%s in profile 1, which says where it is known',
    source => {
      expect(parseExpr(source)).toMatchObject({ ok: false, fix: expect.stringContaining('dsl: 2') });
    },
  );

  test('null is a field of the input in profile 1', () => {
    expect(parseExpr('null')).toMatchObject({ ok: true, expr: { is: 'path', path: ['input', 'null'] } });
  });
});

describe('bounds', () => {
  const repeated = (body: string): string =>
    `reduce(list, (a, v) => ${body}, reduce(list, (a, v) => ${body}, reduce(list, (a, v) => ${body}, list)))`;
  test.each([
    ['lists within lists', repeated('map(a, w => map(a, x => a))')],
    ['lists that grow', repeated('concat(a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a)')],
  ])('%s end', (_, source) => {
    expect(run(source)).toMatch(/^error: it looks at more than 100000 elements/);
  });

  test('text that grows ends', () => {
    let source = '"0123456789abcdef"';
    for (let at = 0; at < 12; at += 1) source = `reduce(list, (a, v) => a + a, ${source})`;
    expect(run(source)).toBe('error: the text is larger than 5 MiB');
  });

  test('a long chain of indexes does not exhaust the stack', () => {
    expect(parseExpr(`list${'[0]'.repeat(300)}`, 2)).toMatchObject({ ok: false });
  });
});

test('any text parses or says why not; what parses has a type, and ends', () => {
  const piece = fc.constantFrom(
    ...'1 "x" + - / == < && ! ( ) , . [ ] => a v list rows null map( filter( reduce( sum( tail( max( (a,v)=> v=>'.split(
      ' ',
    ),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }).map(parts => parts.join(' ')),
      source => {
        const parsed = parseExpr(source, 2);
        expect(parsed.ok || parsed.problem.length > 0).toBe(true);
        if (!parsed.ok) return;
        const faults: TypeFault[] = [];
        typeOf(parsed.expr, () => ANY, faults);
        const result = evaluate(parsed.expr, SCOPE);
        // What is certain to go wrong does, unless a short cut passes it over.
        if (faults.some(one => one.is === 'operands') && !/&&|if|map|filter|reduce/.test(source))
          expect(result.ok).toBe(false);
      },
    ),
    { numRuns: 300 },
  );
});
