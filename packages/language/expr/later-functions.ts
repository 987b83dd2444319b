import type { Value, Values } from '../value.ts';
import { calculate } from './arithmetic.ts';
import { ExprError } from './error.ts';
import { integer, type Operand, stored } from './integers.ts';
import { list } from './lists.ts';
import { type ExprFunction, MANY } from './signature.ts';
import { compare, typeName } from './values.ts';

/* The functions of profile 2. Null counts as an empty list or map, as in profile 1. */

const of = (least: number, most: number, apply: ExprFunction['apply']): ExprFunction => ({
  least,
  most,
  since: 2,
  apply,
});

/** The functions that came with profile 2, with how many arguments each takes. */
export const LATER_FUNCTIONS: Readonly<Record<string, ExprFunction>> = {
  map: of(2, 2, null),
  filter: of(2, 2, null),
  reduce: of(3, 3, null),
  tail: of(2, 2, ([from = null, count = null]) => tail(list('tail', from), whole('tail', count))),
  sort: of(1, 1, ([from = null]) => list('sort', from).toSorted(compare)),
  keys: of(1, 1, ([from = null]) => Object.keys(entries('keys', from)).toSorted(compare)),
  values: of(1, 1, ([from = null]) => valuesOf(entries('values', from))),
  slice: of(2, 3, ([from = null, start = null, end]) =>
    list('slice', from).slice(
      whole('slice', start),
      end === undefined || end === null ? undefined : whole('slice', end),
    ),
  ),
  sum: of(1, 1, ([from = null]) =>
    list('sum', from).reduce<Operand>((a, b) => calculate('+', a, number('sum', b)), 0),
  ),
  min: of(1, MANY, args => extreme('min', args, -1)),
  max: of(1, MANY, args => extreme('max', args, 1)),
  flatten: of(1, 1, ([from = null]) =>
    list('flatten', from).flatMap(one => (Array.isArray(one) ? one : [one])),
  ),
  floor: of(1, 1, ([of = null]) => wholeOf(Math.floor(number('floor', of)))),
  round: of(1, 1, ([of = null]) => wholeOf(rounded(number('round', of)))),
};

/** The last `count` elements. */
function tail(values: readonly Value[], count: number): Value[] {
  return count <= 0 ? [] : values.slice(-count);
}

/** Values in the order of their keys, so that equal maps give equal lists. */
function valuesOf(map: Values): Value[] {
  return Object.keys(map)
    .toSorted(compare)
    .map(key => map[key] ?? null);
}

/** The least or greatest of some numbers or strings, or of the elements of one list; null when there is none. */
function extreme(name: string, args: readonly Value[], sign: 1 | -1): Value {
  const [only = null] = args;
  const values = args.length === 1 && (only === null || Array.isArray(only)) ? list(name, only) : args;
  const [first = null, ...others] = values;
  if (others.length === 0 && first !== null) compare(first, first);
  return others.reduce((best, one) => (Math.sign(compare(one, best)) === sign ? one : best), first);
}

/** Halves go away from zero. */
function rounded(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

function wholeOf(value: number): Value {
  return stored(integer(BigInt(value)));
}

function number(name: string, value: Value): number {
  if (typeof value === 'number') return value;
  throw new ExprError(`\`${name}\` takes numbers, not ${typeName(value)}`);
}

function whole(name: string, value: Value): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new ExprError(
    `\`${name}\` takes a whole number, not ${typeof value === 'number' ? value : typeName(value)}`,
  );
}

function entries(name: string, value: Value): Values {
  if (value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value;
  throw new ExprError(`\`${name}\` takes a map, not ${typeName(value)}`);
}
