import { byteLength } from '../bytes.ts';
import type { Value } from '../value.ts';
import { ExprError } from './error.ts';
import { printed, typeName } from './values.ts';

/** A function over evaluated arguments. `if` is not here: it evaluates only the arm it chooses. */
export interface ExprFunction {
  readonly least: number;
  readonly most: number;
  readonly apply: ((args: readonly Value[]) => Value) | null;
}

/** The functions of profile 1. Wrong arguments are errors when the expression is evaluated. */
export const FUNCTIONS: Readonly<Record<string, ExprFunction>> = {
  length: { least: 1, most: 1, apply: ([of = null]) => length(of) },
  concat: {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    apply: lists => lists.flatMap(one => list('concat', one)),
  },
  unique: { least: 1, most: 1, apply: ([of = null]) => unique(list('unique', of)) },
  contains: {
    least: 2,
    most: 2,
    apply: ([of = null, value = null]) => list('contains', of).some(one => printed(one) === printed(value)),
  },
  join: { least: 2, most: 2, apply: ([of = null, by = null]) => join(list('join', of), by) },
  if: { least: 3, most: 3, apply: null },
};

function list(name: string, value: Value): readonly Value[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw new ExprError(`\`${name}\` takes a list, not ${typeName(value)}`);
}

function length(value: Value): number {
  if (value === null) return 0;
  if (typeof value === 'string') return byteLength(value);
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object') return Object.keys(value).length;
  throw new ExprError(`\`length\` takes a list, a map or a string, not ${typeName(value)}`);
}

function unique(values: readonly Value[]): Value[] {
  const seen = new Set<string>();
  return values.filter(value => seen.size < seen.add(printed(value)).size);
}

function join(values: readonly Value[], separator: Value): string {
  if (typeof separator !== 'string')
    throw new ExprError(`\`join\` takes a separator, not ${typeName(separator)}`);
  return values.map(printed).join(separator);
}
