import { describe, expect, test } from 'vitest';
import { parseExpr } from './parser.ts';
import { ANY, divides, type Known, type TypeFault, typeOf } from './typing.ts';

const TYPES: Readonly<Record<string, Known>> = {
  s: { is: 'string' },
  kind: { is: 'string', of: ['a', 'b'] },
  n: { is: 'whole' },
  f: { is: 'number' },
  b: { is: 'bool' },
  l: { is: 'list', items: { is: 'string' } },
};

function known(source: string): { type: Known['is']; faults: readonly TypeFault['is'][] } {
  const parsed = parseExpr(source, 2);
  if (!parsed.ok) throw new Error(parsed.problem);
  const faults: TypeFault[] = [];
  const type = typeOf(parsed.expr, path => TYPES[path[1] ?? ''] ?? ANY, faults);
  return { type: type.is, faults: faults.map(one => one.is) };
}

describe('types', () => {
  test.each<[string, Known['is'], ...TypeFault['is'][]]>([
    ['1', 'whole'],
    ['1.0', 'number'],
    ['null', 'null'],
    ['"x"', 'string'],
    ['s', 'string'],
    ['unknown', 'any'],
    ['!s', 'bool'],
    ['-n', 'whole'],
    ['-f', 'number'],
    ['n + n', 'whole'],
    ['n / f', 'number'],
    ['s + n', 'string'],
    ['n + s', 'string'],
    ['unknown + n', 'any'],
    ['unknown * n', 'number'],
    ['n > f', 'bool'],
    ['s < s', 'bool'],
    ['unknown < s', 'bool'],
    ['s == n', 'bool'],
    ['kind == "a"', 'bool'],
    ['kind == s', 'bool'],
    ['b && s', 'bool'],
    ['l[0]', 'string'],
    ['l[unknown]', 'string'],
    ['unknown[0]', 'any'],
    ['null[0]', 'any'],
    ['if(b, n, n)', 'whole'],
    ['if(b, n, s)', 'any'],
    ['sort(l)[0]', 'string'],
    ['length(l)', 'whole'],
    ['map(l, v => v + 1)', 'list'],
    ['max(n, f)', 'any'],
    ['s > 3', 'bool', 'operands'],
    ['n < s', 'bool', 'operands'],
    ['b < b', 'bool', 'operands'],
    ['l < n', 'bool', 'operands'],
    ['s - 1', 'number', 'operands'],
    ['s * n', 'number', 'operands'],
    ['b + 1', 'number', 'operands'],
    ['s + b', 'string', 'operands'],
    ['s + l', 'string', 'operands'],
    ['-s', 'number', 'operands'],
    ['null + 1', 'number', 'operands'],
    ['length(s > 3)', 'whole', 'operands'],
    ['map(l, v => s > 3)', 'list', 'operands'],
    ['s[0]', 'any', 'index'],
    ['n[0][1]', 'any', 'index'],
    ['l["a"]', 'string', 'operands'],
    ['kind == "zzz"', 'bool', 'never'],
    ['"zzz" != kind', 'bool', 'never'],
    ['kind == "y" || kind == "z"', 'bool', 'never', 'never'],
  ])('%s', (source, type, ...faults) => {
    expect(known(source)).toEqual({ type, faults });
  });
});

test.each([
  ['n / 2', true],
  ['1 + n / 2', true],
  ['-(n / 2)', true],
  ['if(b, n / 2, 0)', true],
  ['floor(n / 2)', false],
  ['n / 2 > 1', false],
  ['if(n / 2 > 1, 1, 0)', false],
  ['n * 2', false],
])('%s is made by a division: %s', (source, expected) => {
  const parsed = parseExpr(source, 2);
  expect(parsed.ok && divides(parsed.expr)).toBe(expected);
});
