import type { Value } from '../value.ts';
import { ExprError } from './error.ts';
import { typeName } from './values.ts';

/*
 * Two integral operands (5.0 too) are integers and stay so; otherwise both are floats. A JSON number carries integers
 * exactly only up to 2^53 - 1, so a result beyond that is an overflow rather than a silently wrong number.
 */

export type Arithmetic = '+' | '-' | '*' | '/' | '%';

const ON_INTEGERS: Readonly<Record<Arithmetic, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

const ON_FLOATS: Readonly<Record<Arithmetic, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': () => {
    throw new ExprError('`%` takes whole numbers');
  },
};

export function calculate(op: Arithmetic, left: Value, right: Value): Value {
  if (op === '+' && (typeof left === 'string' || typeof right === 'string')) return concatenate(left, right);
  if (typeof left !== 'number' || typeof right !== 'number') {
    const wrong = typeof left === 'number' ? right : left;
    throw new ExprError(`\`${op}\` takes numbers, not ${typeName(wrong)}`);
  }
  if ((op === '/' || op === '%') && right === 0) throw new ExprError(`\`${op}\` by zero`);
  return Number.isInteger(left) && Number.isInteger(right)
    ? integer(ON_INTEGERS[op](BigInt(left), BigInt(right)))
    : float(ON_FLOATS[op](left, right));
}

export function negate(value: Value): Value {
  if (typeof value !== 'number') throw new ExprError(`\`-\` takes a number, not ${typeName(value)}`);
  return Number.isInteger(value) ? integer(-BigInt(value)) : -value;
}

function concatenate(left: Value, right: Value): string {
  const fits = (value: Value): value is string | number =>
    typeof value === 'string' || typeof value === 'number';
  if (fits(left) && fits(right)) return `${left}${right}`;
  throw new ExprError(
    `\`+\` joins a string with a string or number, not with ${typeName(fits(left) ? right : left)}`,
  );
}

function integer(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new ExprError('the whole number is too large');
  return number;
}

function float(value: number): number {
  if (!Number.isFinite(value)) throw new ExprError('the number is too large');
  return value;
}
