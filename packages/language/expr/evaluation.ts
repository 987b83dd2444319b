import type { Value, Values } from '../value.ts';
import { calculate, negate } from './arithmetic.ts';
import type { Expr, Namespace } from './ast.ts';
import { ExprError } from './error.ts';
import { FUNCTIONS } from './functions.ts';
import { compare, equal, truthy } from './values.ts';

/** What names stand for. What is missing is null. */
export type Scope = Readonly<Partial<Record<Namespace, Values>>>;

export type Evaluated =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ExprError };

/** Evaluates an expression. Pure; every failure is a typed result. */
export function evaluate(expr: Expr, scope: Scope): Evaluated {
  try {
    return { ok: true, value: valueOf(expr, scope) };
  } catch (error) {
    if (error instanceof ExprError) return { ok: false, error };
    throw error;
  }
}

function valueOf(expr: Expr, scope: Scope): Value {
  switch (expr.is) {
    case 'literal':
      return expr.value;
    case 'path':
      return lookUp(expr.path, scope);
    case 'not':
      return !truthy(valueOf(expr.of, scope));
    case 'negate':
      return negate(valueOf(expr.of, scope));
    case 'binary':
      return binary(expr, scope);
    case 'call':
      return call(expr.name, expr.args, scope);
  }
}

function lookUp(path: readonly string[], scope: Scope): Value {
  const names: { readonly [key: string]: Value | undefined } = scope;
  const [first = '', ...rest] = path;
  let value: Value = (Object.hasOwn(names, first) ? names[first] : null) ?? null;
  for (const segment of rest) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    value = (Object.hasOwn(value, segment) ? value[segment] : null) ?? null;
  }
  return value;
}

function binary(expr: Extract<Expr, { is: 'binary' }>, scope: Scope): Value {
  const left = valueOf(expr.left, scope);
  if (expr.op === '||') return truthy(left) || truthy(valueOf(expr.right, scope));
  if (expr.op === '&&') return truthy(left) && truthy(valueOf(expr.right, scope));
  const right = valueOf(expr.right, scope);
  switch (expr.op) {
    case '==':
      return equal(left, right);
    case '!=':
      return !equal(left, right);
    case '<':
      return compare(left, right) < 0;
    case '<=':
      return compare(left, right) <= 0;
    case '>':
      return compare(left, right) > 0;
    case '>=':
      return compare(left, right) >= 0;
    default:
      return calculate(expr.op, left, right);
  }
}

function call(name: string, args: readonly Expr[], scope: Scope): Value {
  const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (known === undefined) throw new ExprError(`unknown function \`${name}\``);
  if (args.length < known.least || args.length > known.most) {
    const count = known.least === known.most ? `${known.least}` : `at least ${known.least}`;
    throw new ExprError(`\`${name}\` takes ${count} argument${count === '1' ? '' : 's'}, not ${args.length}`);
  }
  if (known.apply !== null) return known.apply(args.map(arg => valueOf(arg, scope)));
  const [condition, yes, no] = args;
  const chosen = condition && truthy(valueOf(condition, scope)) ? yes : no;
  return chosen === undefined ? null : valueOf(chosen, scope);
}
