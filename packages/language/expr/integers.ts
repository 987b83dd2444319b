import type { Value } from '../value.ts';
import { ExprError } from './error.ts';

/*
 * Whole numbers have 64 bits. A JSON number holds them exactly up to 2^53 - 1; beyond that an evaluation carries them as
 * big integers, which are compared and calculated with exactly and never leave it rounded.
 */

/** What an operator works on: a value, or a whole number that a JSON number cannot hold. */
export type Operand = Value | bigint;

/** The largest whole number: 64 bits, signed. */
export const INT_MAX = 2n ** 63n - 1n;

/** The smallest whole number. */
export const INT_MIN = -(2n ** 63n);

/** The whole number that an operand is, 5.0 too; null when it is none of 64 bits. */
export function integerOf(operand: Operand): bigint | null {
  if (typeof operand === 'bigint') return operand;
  if (typeof operand !== 'number' || !Number.isInteger(operand)) return null;
  const integer = BigInt(operand);
  return fits(integer) ? integer : null;
}

/** A whole number as an operand; one of more than 64 bits is an overflow. */
export function integer(value: bigint): Operand {
  if (!fits(value)) throw new ExprError('the whole number overflows 64 bits');
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** An operand as a value that can be stored. A number that would have to be rounded is refused. */
export function stored(operand: Operand): Value {
  if (typeof operand !== 'bigint') return operand;
  throw new ExprError(`the whole number ${operand} is too large to be kept exactly`);
}

/** Whether an operand is a number of either kind. */
export function isNumeric(operand: Operand): operand is number | bigint {
  return typeof operand === 'number' || typeof operand === 'bigint';
}

function fits(value: bigint): boolean {
  return value >= INT_MIN && value <= INT_MAX;
}
