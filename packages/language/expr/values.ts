import type { Value } from '../value.ts';
import { ExprError } from './error.ts';
import { isNumeric, type Operand } from './integers.ts';

/* What values mean to operators, as in profile 1 (docs/adr/0021). */

const FALSE_WORDS: readonly string[] = ['', 'false', 'no', '0'];

/** Whether a value counts as true: not null, zero, an empty list or map, or a text that says no. */
export function truthy(value: Operand): boolean {
  if (value === null) return false;
  if (typeof value === 'bigint') return value !== 0n;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'string') return !FALSE_WORDS.includes(value.trim().toLowerCase());
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

/** Equal values of one scalar type. Lists and maps equal nothing, not even themselves. */
export function equal(left: Operand, right: Operand): boolean {
  if (left === null || right === null) return left === right;
  // A big integer is beyond what a number holds exactly, so only the order tells whether the two are one number.
  if (typeof left === 'bigint' && typeof right === 'number') return left >= right && left <= right;
  if (typeof left === 'number' && typeof right === 'bigint') return left >= right && left <= right;
  return typeof left !== 'object' && typeof right !== 'object' && left === right;
}

/** Negative, zero or positive. Strings are ordered by their bytes, which is the order of code points. */
export function compare(left: Operand, right: Operand): number {
  if (isNumeric(left) && isNumeric(right)) return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  throw new ExprError(`cannot compare ${typeName(left)} with ${typeName(right)}`);
}

function compareText(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
}

/** Places surrogates after all other units, where their code points belong; the end of a text comes first. */
function rank(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** A value in the form that `contains`, `unique` and `join` go by. */
export function printed(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(sorted(value));
}

function sorted(value: Value): Value {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map(key => [key, sorted(value[key] ?? null)]));
}

/** The type of a value as messages name it, with its article. */
export function typeName(value: Operand): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'a number';
  if (Array.isArray(value)) return 'a list';
  const names = { boolean: 'a boolean', number: 'a number', string: 'a string', object: 'a map' } as const;
  return names[typeof value as keyof typeof names];
}
