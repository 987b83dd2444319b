import type { BinaryOperator, Expr } from './ast.ts';

/*
 * What can be known of an expression without evaluating it. Whatever is not known is `any`, and nothing is said of it:
 * only what is certain to go wrong is a fault.
 */

/** The type of a value. `whole` is a number without a fraction; a string may be known to be one of some words. */
export type Known =
  | { readonly is: 'any' | 'null' | 'bool' | 'number' | 'whole' | 'map' }
  | { readonly is: 'string'; readonly of?: readonly string[] }
  | { readonly is: 'list'; readonly items: Known };

/** A fault that evaluating is certain to meet, in a phrase that continues a sentence. */
export interface TypeFault {
  readonly is: 'operands' | 'index' | 'never';
  readonly problem: string;
}

/** Tells the type that a path stands for. */
export type PathTypes = (path: readonly string[]) => Known;

/** Of a value nothing is known before it is there. */
export const ANY: Known = { is: 'any' };
const BOOL: Known = { is: 'bool' };
const NUMBER: Known = { is: 'number' };
const WHOLE: Known = { is: 'whole' };
const STRING: Known = { is: 'string' };

const RESULTS: Readonly<Record<string, Known>> = {
  length: WHOLE,
  contains: BOOL,
  join: STRING,
  sum: NUMBER,
  floor: WHOLE,
  round: WHOLE,
  concat: { is: 'list', items: ANY },
  keys: { is: 'list', items: STRING },
  values: { is: 'list', items: ANY },
  map: { is: 'list', items: ANY },
  flatten: { is: 'list', items: ANY },
};
/** Functions that give a list like the one they were given. */
const SAME: readonly string[] = ['unique', 'filter', 'tail', 'sort', 'slice'];

/** The type of an expression, and in `faults` what is certain to go wrong in it. */
export function typeOf(expr: Expr, paths: PathTypes, faults: TypeFault[]): Known {
  const inside = (one: Expr): Known => typeOf(one, paths, faults);
  switch (expr.is) {
    case 'literal':
      return literal(expr);
    case 'path':
      return paths(expr.path);
    case 'local':
      return ANY;
    case 'not':
      inside(expr.of);
      return BOOL;
    case 'negate': {
      const of = inside(expr.of);
      if (!mayBeNumber(of)) fault(faults, `\`-\` takes a number, not ${named(of)}`);
      return of.is === 'whole' ? WHOLE : NUMBER;
    }
    case 'binary':
      return binary(expr.op, inside(expr.left), inside(expr.right), expr, faults);
    case 'index':
      return indexed(inside(expr.of), inside(expr.at), faults);
    case 'lambda':
      return inside(expr.body);
    case 'call': {
      const [first = ANY, ...others] = expr.args.map(inside);
      if (SAME.includes(expr.name)) return first.is === 'list' ? first : ANY;
      if (expr.name === 'if') return others[0]?.is === others[1]?.is ? (others[0] ?? ANY) : ANY;
      return (Object.hasOwn(RESULTS, expr.name) ? RESULTS[expr.name] : undefined) ?? ANY;
    }
  }
}

/** Whether an expression is made by a division whose result nothing makes whole. */
export function divides(expr: Expr): boolean {
  if (expr.is === 'negate') return divides(expr.of);
  if (expr.is === 'call' && expr.name === 'if') return expr.args.slice(1).some(divides);
  if (expr.is !== 'binary') return false;
  return expr.op === '/' || (ARITHMETIC.includes(expr.op) && (divides(expr.left) || divides(expr.right)));
}

const ARITHMETIC: readonly BinaryOperator[] = ['+', '-', '*', '/', '%'];
const ORDER: readonly BinaryOperator[] = ['<', '<=', '>', '>='];

function literal({ value, float }: Extract<Expr, { is: 'literal' }>): Known {
  if (value === null) return { is: 'null' };
  if (typeof value === 'number') return float === true ? NUMBER : WHOLE;
  return typeof value === 'boolean' ? BOOL : { is: 'string' };
}

function binary(
  op: BinaryOperator,
  left: Known,
  right: Known,
  expr: Extract<Expr, { is: 'binary' }>,
  faults: TypeFault[],
): Known {
  if (ORDER.includes(op)) {
    const numbers = mayBeNumber(left) && mayBeNumber(right);
    const strings = mayBeString(left) && mayBeString(right);
    if (!numbers && !strings) fault(faults, `\`${op}\` compares ${named(left)} with ${named(right)}`);
    return BOOL;
  }
  if (ARITHMETIC.includes(op)) return calculated(op, left, right, faults);
  if (op === '==' || op === '!=') {
    neverEqual(left, expr.right, faults);
    neverEqual(right, expr.left, faults);
  }
  return BOOL;
}

function calculated(op: BinaryOperator, left: Known, right: Known, faults: TypeFault[]): Known {
  const both = [left, right];
  if (op === '+' && both.some(one => one.is === 'string')) {
    const wrong = both.find(one => !mayBeString(one) && !mayBeNumber(one));
    if (wrong) fault(faults, `\`+\` joins a string with ${named(wrong)}`);
    return STRING;
  }
  const wrong = both.find(one => !mayBeNumber(one) && !(op === '+' && mayBeString(one)));
  if (wrong) fault(faults, `\`${op}\` takes numbers, not ${named(wrong)}`);
  if (op === '+' && both.some(one => one.is === 'any')) return ANY;
  return both.every(one => one.is === 'whole') ? WHOLE : NUMBER;
}

/** A string that is one of some words is compared with a literal that is none of them. */
function neverEqual(known: Known, other: Expr, faults: TypeFault[]): void {
  if (known.is !== 'string' || known.of === undefined || other.is !== 'literal') return;
  if (typeof other.value !== 'string' || known.of.includes(other.value)) return;
  const words = known.of.map(word => `\`${word}\``).join(', ');
  faults.push({ is: 'never', problem: `compares with \`${other.value}\`, which is none of ${words}` });
}

function indexed(of: Known, at: Known, faults: TypeFault[]): Known {
  if (of.is === 'list') {
    if (!mayBeNumber(at)) fault(faults, `an element of a list has a number, not ${named(at)}`);
    return of.items;
  }
  if (of.is !== 'any' && of.is !== 'map' && of.is !== 'null') {
    faults.push({ is: 'index', problem: `\`[…]\` reads from ${named(of)}, which has no elements` });
  }
  return ANY;
}

function fault(faults: TypeFault[], problem: string): void {
  faults.push({ is: 'operands', problem });
}

function mayBeNumber({ is }: Known): boolean {
  return is === 'any' || is === 'number' || is === 'whole';
}

function mayBeString({ is }: Known): boolean {
  return is === 'any' || is === 'string';
}

const NAMES: Readonly<Record<Known['is'], string>> = {
  any: 'anything',
  null: 'null',
  bool: 'a boolean',
  number: 'a number',
  whole: 'a number',
  string: 'a string',
  list: 'a list',
  map: 'a map',
};

function named({ is }: Known): string {
  return NAMES[is];
}
