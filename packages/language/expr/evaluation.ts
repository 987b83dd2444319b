import type { Value, Values } from '../value.ts';
import { calculate, negate } from './arithmetic.ts';
import type { Expr, Namespace } from './ast.ts';
import { ExprError } from './error.ts';
import { arityProblem, FUNCTIONS } from './functions.ts';
import { integerOf, type Operand, stored } from './integers.ts';
import { list } from './lists.ts';
import { compare, equal, truthy, typeName } from './values.ts';

/** What names stand for. What is missing is null. */
export type Scope = Readonly<Partial<Record<Namespace, Values>>>;

/** The value of an expression, or why it has none. */
export type Evaluated =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ExprError };

/** Evaluates an expression. Pure; every failure is a typed result. */
export function evaluate(expr: Expr, scope: Scope): Evaluated {
  try {
    return { ok: true, value: stored(new Evaluation(scope).valueOf(expr)) };
  } catch (error) {
    if (error instanceof ExprError) return { ok: false, error };
    throw error;
  }
}

/** How many elements of lists one evaluation may look at, so that lambdas within lambdas end soon. */
const MAX_VISITS = 100_000;

class Evaluation {
  readonly #scope: { readonly [key: string]: Value | undefined };
  /** The parameters of the lambdas under way, innermost last. */
  readonly #locals: { readonly name: string; readonly value: Value }[] = [];
  #visits = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  valueOf(expr: Expr): Operand {
    switch (expr.is) {
      case 'literal':
        return expr.digits === undefined ? expr.value : BigInt(expr.digits);
      case 'path':
        return this.#lookUp(expr.path);
      case 'local':
        return this.#local(expr.path);
      case 'not':
        return !truthy(this.valueOf(expr.of));
      case 'negate':
        return negate(this.valueOf(expr.of));
      case 'binary':
        return this.#binary(expr);
      case 'index':
        return element(this.#stored(expr.of), this.#stored(expr.at));
      case 'call':
        return this.#call(expr.name, expr.args);
      case 'lambda':
        throw new ExprError('`=>` stands only in arguments of functions that take it');
    }
  }

  #stored(expr: Expr): Value {
    return stored(this.valueOf(expr));
  }

  #lookUp([first = '', ...rest]: readonly string[]): Value {
    return drill((Object.hasOwn(this.#scope, first) ? this.#scope[first] : null) ?? null, rest);
  }

  #local([first = '', ...rest]: readonly string[]): Value {
    return drill(this.#locals.findLast(local => local.name === first)?.value ?? null, rest);
  }

  #binary(expr: Extract<Expr, { is: 'binary' }>): Operand {
    const left = this.valueOf(expr.left);
    if (expr.op === '||') return truthy(left) || truthy(this.valueOf(expr.right));
    if (expr.op === '&&') return truthy(left) && truthy(this.valueOf(expr.right));
    const right = this.valueOf(expr.right);
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

  #call(name: string, args: readonly Expr[]): Operand {
    const problem = arityProblem(name, args.length);
    if (problem !== null) throw new ExprError(problem);
    const apply = FUNCTIONS[name]?.apply ?? null;
    if (apply !== null) {
      const values = args.map(arg => this.#stored(arg));
      for (const value of values) this.#visit(Array.isArray(value) ? value.length : 0);
      return apply(values);
    }
    return name === 'if' ? this.#choose(args) : this.#walk(name, args);
  }

  #choose([condition, yes, no]: readonly Expr[]): Operand {
    const chosen = condition && truthy(this.valueOf(condition)) ? yes : no;
    return chosen === undefined ? null : this.valueOf(chosen);
  }

  /** `map`, `filter` and `reduce`: the lambda is evaluated once for each element. */
  #walk(name: string, [of, lambda, initial]: readonly Expr[]): Value {
    const values = list(name, of === undefined ? null : this.#stored(of));
    if (lambda?.is !== 'lambda') {
      throw new ExprError(`\`${name}\` takes something like \`v => v.field\` as its second argument`);
    }
    const { params, body } = lambda;
    const apply = (...given: readonly Value[]): Value => {
      this.#visit(1);
      const outer = this.#locals.length;
      this.#locals.push(...params.map((param, index) => ({ name: param, value: given[index] ?? null })));
      const value = this.#stored(body);
      this.#locals.length = outer;
      this.#weigh(value);
      return value;
    };
    if (name === 'map') return values.map(value => apply(value));
    if (name === 'filter') return values.filter(value => truthy(apply(value)));
    return values.reduce(
      (sum: Value, value) => apply(sum, value),
      initial === undefined ? null : this.#stored(initial),
    );
  }

  /** Charges what a lambda made as a whole: values share their parts, so a few steps could name endless text. */
  #weigh(value: Value): void {
    this.#visit(1);
    if (typeof value === 'string') this.#visit(value.length >> 10);
    else if (Array.isArray(value)) for (const one of value) this.#weigh(one);
    else if (value !== null && typeof value === 'object')
      for (const one of Object.values(value)) this.#weigh(one);
  }

  #visit(count: number): void {
    this.#visits += count;
    if (this.#visits > MAX_VISITS) {
      throw new ExprError(`it looks at more than ${MAX_VISITS} elements of lists`);
    }
  }
}

function drill(from: Value, path: readonly string[]): Value {
  let value = from;
  for (const segment of path) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    value = (Object.hasOwn(value, segment) ? value[segment] : null) ?? null;
  }
  return value;
}

/** An element of a list by its number, from 0 on, or of a map by its key. What is missing is null. */
function element(of: Value, at: Value): Value {
  if (of === null) return null;
  if (typeof of !== 'object') throw new ExprError(`\`[…]\` reads from a list or a map, not ${typeName(of)}`);
  if (Array.isArray(of)) {
    const index = integerOf(at);
    if (index === null) throw new ExprError(`an element of a list has a whole number, not ${typeName(at)}`);
    return of[Number(index)] ?? null;
  }
  if (typeof at !== 'string')
    throw new ExprError(`an element of a map has a string as its key, not ${typeName(at)}`);
  return drill(of, [at]);
}
