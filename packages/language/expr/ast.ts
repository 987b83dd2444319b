/** The namespaces an expression's path may begin with; any other first word is a field of `input`. */
export type Namespace = 'vars' | 'input' | 'outputs' | 'artifacts' | 'loop' | 'run';

/** An operator between two expressions. */
export type BinaryOperator =
  | '||'
  | '&&'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

/** A parsed expression, plain JSON. A path holds its namespace first: `outputs.nexie.reply` is `['outputs','nexie','reply']`. */
export type Expr =
  | Literal
  | { readonly is: 'path'; readonly path: readonly string[] }
  | { readonly is: 'not' | 'negate'; readonly of: Expr }
  | { readonly is: 'binary'; readonly op: BinaryOperator; readonly left: Expr; readonly right: Expr }
  | { readonly is: 'call'; readonly name: string; readonly args: readonly Expr[] }
  /** `of[at]`, and `of.name` behind an index, where `at` is the name (profile 2). */
  | { readonly is: 'index'; readonly of: Expr; readonly at: Expr }
  /** `v => body`, only as an argument of a function that takes one (profile 2). */
  | { readonly is: 'lambda'; readonly params: readonly string[]; readonly body: Expr }
  /** A parameter of a lambda around it, and fields below it (profile 2). */
  | { readonly is: 'local'; readonly path: readonly string[] };

/** `float`: written with a fraction. `digits`: a whole number beyond what `value` holds exactly. `null` is of profile 2. */
export interface Literal {
  readonly is: 'literal';
  readonly value: number | string | boolean | null;
  readonly float?: boolean;
  readonly digits?: string;
}
