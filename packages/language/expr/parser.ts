import { didYouMean } from '../nearest.ts';
import type { BinaryOperator, Expr } from './ast.ts';
import { ExprError } from './error.ts';
import { FUNCTIONS } from './functions.ts';
import { type ExprToken, exprTokens } from './lexer.ts';

/*
 * Precedence, weakest first: or, and, not, comparison (one only), sum, product, minus. So `!a == b` is `!(a == b)`.
 * Bounds keep every tree shallow enough to evaluate, store and print.
 */

const MAX_DEPTH = 256;
const MAX_TOKENS = 4096;

export type ParsedExpr =
  | { readonly ok: true; readonly expr: Expr }
  /** `problem` continues a sentence that begins with the expression. */
  | { readonly ok: false; readonly problem: string; readonly fix?: string };

const ROOTS: ReadonlySet<string> = new Set(['vars', 'input', 'outputs', 'artifacts', 'loop', 'run']);
const COMPARISONS: readonly BinaryOperator[] = ['==', '!=', '<=', '>=', '<', '>'];

/** Parses an expression. Never throws. */
export function parseExpr(source: string): ParsedExpr {
  const tokens = exprTokens(source);
  if (typeof tokens === 'string') return { ok: false, problem: tokens };
  if (tokens.length > MAX_TOKENS) return { ok: false, problem: `has more than ${MAX_TOKENS} parts` };
  const parser = new ExprParser(tokens);
  try {
    return { ok: true, expr: parser.parse() };
  } catch (error) {
    if (!(error instanceof ExprError)) throw error;
    return { ok: false, problem: error.message, ...(parser.fix === undefined ? {} : { fix: parser.fix }) };
  }
}

/** A literal's number. One that would be rounded away is refused, since it would compare equal to its neighbours. */
function exact(text: string, holds: (value: number) => boolean): number {
  const value = Number(text);
  if (!holds(value)) throw new ExprError(`has the number ${text.slice(0, 40)}, which is too large`);
  return value;
}

class ExprParser {
  fix: string | undefined;
  readonly #tokens: readonly ExprToken[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly ExprToken[]) {
    this.#tokens = tokens;
  }

  parse(): Expr {
    const expr = this.#or();
    const rest = this.#peek();
    if (rest.kind !== 'end') throw new ExprError(`has \`${rest.text}\` after its end`);
    return expr;
  }

  #or(): Expr {
    return this.#nested(() => this.#chain([['||', 'or']], ['||'], () => this.#and()));
  }

  #and(): Expr {
    return this.#chain([['&&', 'and']], ['&&'], () => this.#not());
  }

  #not(): Expr {
    if (this.#accept('!') || this.#accept('not')) {
      return { is: 'not', of: this.#nested(() => this.#not()) };
    }
    return this.#comparison();
  }

  #comparison(): Expr {
    const left = this.#sum();
    const op = COMPARISONS.find(known => this.#accept(known));
    if (op === undefined) return left;
    const right = this.#sum();
    if (COMPARISONS.some(known => known === this.#peek().text && this.#peek().kind === 'mark')) {
      throw new ExprError('compares twice in a row; join two comparisons with `and`');
    }
    return { is: 'binary', op, left, right };
  }

  #sum(): Expr {
    return this.#chain([['+'], ['-']], ['+', '-'], () => this.#product());
  }

  #product(): Expr {
    return this.#chain([['*'], ['/'], ['%']], ['*', '/', '%'], () => this.#unary());
  }

  #unary(): Expr {
    if (this.#accept('-')) return { is: 'negate', of: this.#nested(() => this.#unary()) };
    return this.#primary();
  }

  #primary(): Expr {
    const token = this.#peek();
    this.#index += 1;
    switch (token.kind) {
      case 'int':
        return { is: 'literal', value: exact(token.text, Number.isSafeInteger) };
      case 'float':
        return { is: 'literal', value: exact(token.text, Number.isFinite), float: true };
      case 'string':
        return { is: 'literal', value: token.value };
      case 'word':
        return this.#word(token.text);
      case 'mark':
        if (token.text === '(') {
          const inner = this.#or();
          this.#expect(')');
          return inner;
        }
        throw new ExprError(`has \`${token.text}\` where a value is expected`);
      case 'end':
        throw new ExprError('ends where a value is expected');
    }
  }

  #word(word: string): Expr {
    if (word === 'true' || word === 'false') return { is: 'literal', value: word === 'true' };
    if (this.#accept('(')) return this.#call(word);
    if (word === 'and' || word === 'or' || word === 'not') {
      throw new ExprError(`has \`${word}\` where a value is expected`);
    }
    const path = ROOTS.has(word) ? [word] : ['input', word];
    while (this.#accept('.')) {
      const segment = this.#peek();
      if (segment.kind !== 'word') throw new ExprError('has a dot without a name after it');
      this.#index += 1;
      path.push(segment.text);
    }
    return { is: 'path', path };
  }

  #call(name: string): Expr {
    if (!Object.hasOwn(FUNCTIONS, name)) {
      this.fix = didYouMean(name, Object.keys(FUNCTIONS));
      throw new ExprError(`calls the unknown function \`${name}\``);
    }
    const args: Expr[] = [];
    if (this.#accept(')')) return { is: 'call', name, args };
    do args.push(this.#or());
    while (this.#accept(','));
    this.#expect(')');
    return { is: 'call', name, args };
  }

  #chain(
    spellings: readonly (readonly string[])[],
    ops: readonly BinaryOperator[],
    operand: () => Expr,
  ): Expr {
    let left = operand();
    for (;;) {
      const op = ops.find((_, index) => spellings[index]?.some(text => this.#accept(text)));
      if (op === undefined) return left;
      left = { is: 'binary', op, left, right: operand() };
    }
  }

  #nested(read: () => Expr): Expr {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new ExprError(`is nested deeper than ${MAX_DEPTH} levels`);
    const expr = read();
    this.#depth -= 1;
    return expr;
  }

  #expect(mark: string): void {
    if (this.#accept(mark)) return;
    const { kind, text } = this.#peek();
    throw new ExprError(
      kind === 'end' ? `ends where \`${mark}\` is expected` : `has \`${text}\` where \`${mark}\` is expected`,
    );
  }

  #accept(text: string): boolean {
    const token = this.#peek();
    if (token.text !== text || (token.kind !== 'word' && token.kind !== 'mark')) return false;
    this.#index += 1;
    return true;
  }

  #peek(): ExprToken {
    return this.#tokens[this.#index] ?? { kind: 'end', text: '', value: '' };
  }
}
