import { didYouMean } from '../nearest.ts';
import type { Profile } from '../lex/profile.ts';
import type { BinaryOperator, Expr, Literal } from './ast.ts';
import { ExprError } from './error.ts';
import { FUNCTIONS, functionsOf, LAMBDA_PARAMS } from './functions.ts';
import { type ExprToken, exprTokens } from './lexer.ts';
import { INT_MAX } from './integers.ts';

/*
 * Precedence, weakest first: or, and, not, comparison (one only), sum, product, minus, index. So `!a == b` is
 * `!(a == b)`. Bounds keep every tree shallow enough to evaluate, store and print.
 */

const MAX_DEPTH = 256;
const MAX_TOKENS = 4096;

/** A parsed expression, or what is wrong with it. */
export type ParsedExpr =
  /** `bare` has the paths that were written without `input` in front: profile 1 checks them by their first word. */
  | { readonly ok: true; readonly expr: Expr; readonly bare: ReadonlySet<Expr> }
  /** `problem` continues a sentence that begins with the expression. */
  | { readonly ok: false; readonly problem: string; readonly fix?: string };

const ROOTS: ReadonlySet<string> = new Set(['vars', 'input', 'outputs', 'artifacts', 'loop', 'run']);
/** Words that mean something by themselves and so cannot name a part of a path. */
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'and', 'or', 'not']);
const COMPARISONS: readonly BinaryOperator[] = ['==', '!=', '<=', '>=', '<', '>'];

/** What a source of profile 1 is told that uses something of profile 2. */
const PROFILE_2 = 'begin the source with `dsl: 2`, which has it';

/** Parses an expression of a source of the given profile. Never throws. */
export function parseExpr(source: string, profile: Profile = 1): ParsedExpr {
  const tokens = exprTokens(source, profile);
  if (typeof tokens === 'string') {
    const later = profile === 1 && /`[[\]]`/.test(tokens);
    return { ok: false, problem: tokens, ...(later ? { fix: PROFILE_2 } : {}) };
  }
  if (tokens.length > MAX_TOKENS) return { ok: false, problem: `has more than ${MAX_TOKENS} parts` };
  const parser = new ExprParser(tokens, profile);
  try {
    return { ok: true, expr: parser.parse(), bare: parser.bare };
  } catch (error) {
    if (!(error instanceof ExprError)) throw error;
    return { ok: false, problem: error.message, ...(parser.fix === undefined ? {} : { fix: parser.fix }) };
  }
}

/** A whole number of 64 bits. Its digits are kept when `value` alone would be rounded. */
function intOf(text: string): Literal {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return { is: 'literal', value };
  const digits = text.replace(/^0+/, '');
  if (digits.length > 19 || BigInt(digits) > INT_MAX) throw tooLarge(text);
  return { is: 'literal', value, digits };
}

function floatOf(text: string): Literal {
  const value = Number(text);
  if (!Number.isFinite(value)) throw tooLarge(text);
  return { is: 'literal', value, float: true };
}

function tooLarge(text: string): ExprError {
  return new ExprError(`has the number ${text.slice(0, 40)}, which is too large`);
}

class ExprParser {
  fix: string | undefined;
  readonly bare = new Set<Expr>();
  readonly #tokens: readonly ExprToken[];
  readonly #profile: Profile;
  /** The parameters of the lambdas around what is read, innermost last. */
  readonly #locals: string[] = [];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly ExprToken[], profile: Profile) {
    this.#tokens = tokens;
    this.#profile = profile;
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
    return this.#profile === 1 ? this.#primary() : this.#indexed(this.#primary());
  }

  /** What may follow a value in profile 2: `[expr]`, and names behind that. */
  #indexed(of: Expr): Expr {
    let value = of;
    let depth = 0;
    for (;;) {
      const dotted = value.is === 'index' && this.#accept('.');
      if (!dotted && !this.#accept('[')) return value;
      depth += 1;
      if (depth > MAX_DEPTH) throw new ExprError(`is nested deeper than ${MAX_DEPTH} levels`);
      if (dotted) {
        value = { is: 'index', of: value, at: { is: 'literal', value: this.#segment() } };
        continue;
      }
      value = { is: 'index', of: value, at: this.#or() };
      this.#expect(']');
    }
  }

  #primary(): Expr {
    const token = this.#peek();
    this.#index += 1;
    switch (token.kind) {
      case 'int':
        return intOf(token.text);
      case 'float':
        return floatOf(token.text);
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
    if (word === 'null' && this.#profile === 2) return { is: 'literal', value: null };
    if (this.#accept('(')) return this.#call(word);
    if (word === 'and' || word === 'or' || word === 'not') {
      throw new ExprError(`has \`${word}\` where a value is expected`);
    }
    const local = this.#locals.includes(word);
    const rooted = local || ROOTS.has(word);
    const path = rooted ? [word] : ['input', word];
    while (this.#accept('.')) path.push(this.#segment());
    const expr: Expr = { is: local ? 'local' : 'path', path };
    if (!rooted) this.bare.add(expr);
    return expr;
  }

  #segment(): string {
    const segment = this.#peek();
    if (segment.kind !== 'word' || WORDS.has(segment.text)) {
      throw new ExprError('has a dot without a name after it');
    }
    this.#index += 1;
    return segment.text;
  }

  #call(name: string): Expr {
    const known = functionsOf(this.#profile);
    if (!known.includes(name)) {
      this.fix = Object.hasOwn(FUNCTIONS, name) ? PROFILE_2 : didYouMean(name, known);
      throw new ExprError(`calls the unknown function \`${name}\``);
    }
    const args: Expr[] = [];
    if (this.#accept(')')) return { is: 'call', name, args };
    do args.push(this.#argument(name));
    while (this.#accept(','));
    this.#expect(')');
    return { is: 'call', name, args };
  }

  /** An argument: an expression, or a lambda where the function takes one. */
  #argument(name: string): Expr {
    const params = this.#profile === 2 ? this.#params() : null;
    if (params === null) return this.#or();
    const wanted = LAMBDA_PARAMS[name];
    if (wanted === undefined) {
      throw new ExprError(`has \`=>\` in \`${name}\`; only ${Object.keys(LAMBDA_PARAMS).join(', ')} take it`);
    }
    if (params.length !== wanted) {
      throw new ExprError(`has ${params.length} names before \`=>\` in \`${name}\`, which gives ${wanted}`);
    }
    this.#locals.push(...params);
    const body = this.#or();
    this.#locals.length -= params.length;
    return { is: 'lambda', params, body };
  }

  /** The names before a `=>`, taken with it; null when what follows is no lambda. */
  #params(): readonly string[] | null {
    const found: string[] = [];
    let at = this.#index;
    const text = (): string => this.#tokens[at]?.text ?? '';
    const bracketed = text() === '(';
    if (bracketed) at += 1;
    while (this.#tokens[at]?.kind === 'word') {
      found.push(text());
      at += 1;
      if (!bracketed || text() !== ',') break;
      at += 1;
    }
    if (bracketed && text() === ')') at += 1;
    else if (bracketed) return null;
    if (found.length === 0 || text() !== '=>') return null;
    this.#index = at + 1;
    return found;
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
