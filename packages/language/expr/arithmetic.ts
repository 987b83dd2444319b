import { ExprError } from './error.ts';
import { integer, integerOf, isNumeric, type Operand } from './integers.ts';
import { typeName } from './values.ts';

/* Two integral operands (5.0 too) are integers of 64 bits and stay so; otherwise both are floats. */

/** The operators on two numbers; `+` joins texts too. */
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

/** The longest text that `+` makes, in UTF-16 units: lambdas could double one again and again. */
const MAX_TEXT = 5 * 1024 * 1024;

/**
 * The value of two operands under an operator: exact on whole numbers of 64 bits, else a float. Throws an
 * `ExprError` for what is no number, for a division by zero and outside of 64 bits.
 */
export function calculate(op: Arithmetic, left: Operand, right: Operand): Operand {
  if (op === '+' && (typeof left === 'string' || typeof right === 'string')) return concatenate(left, right);
  if (!isNumeric(left) || !isNumeric(right)) {
    const wrong = isNumeric(left) ? right : left;
    throw new ExprError(`\`${op}\` takes numbers, not ${typeName(wrong)}`);
  }
  if ((op === '/' || op === '%') && Number(right) === 0) throw new ExprError(`\`${op}\` by zero`);
  const [a, b] = [integerOf(left), integerOf(right)];
  return a !== null && b !== null
    ? integer(ON_INTEGERS[op](a, b))
    : float(ON_FLOATS[op](Number(left), Number(right)));
}

/** The number with its sign turned. Throws an `ExprError` for what is no number. */
export function negate(value: Operand): Operand {
  if (!isNumeric(value)) throw new ExprError(`\`-\` takes a number, not ${typeName(value)}`);
  const whole = integerOf(value);
  return whole === null ? -Number(value) : integer(-whole);
}

function concatenate(left: Operand, right: Operand): string {
  const fits = (value: Operand): value is string | number | bigint =>
    typeof value === 'string' || isNumeric(value);
  if (!fits(left) || !fits(right)) {
    const wrong = typeName(fits(left) ? right : left);
    throw new ExprError(`\`+\` joins a string with a string or number, not with ${wrong}`);
  }
  const text = `${left}${right}`;
  if (text.length > MAX_TEXT) throw new ExprError('the text is larger than 5 MiB');
  return text;
}

function float(value: number): number {
  if (!Number.isFinite(value)) throw new ExprError('the number is too large');
  return value;
}
