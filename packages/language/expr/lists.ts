import type { Value } from '../value.ts';
import { ExprError } from './error.ts';
import { typeName } from './values.ts';

/** The list that a function was given; null is an empty one. */
export function list(name: string, value: Value): readonly Value[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw new ExprError(`\`${name}\` takes a list, not ${typeName(value)}`);
}
