/** The namespaces an expression's path may begin with; any other first word is a field of `input`. */
export type Namespace = 'vars' | 'input' | 'outputs' | 'artifacts' | 'loop' | 'run';

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
  | { readonly is: 'literal'; readonly value: number | string | boolean; readonly float?: boolean }
  | { readonly is: 'path'; readonly path: readonly string[] }
  | { readonly is: 'not' | 'negate'; readonly of: Expr }
  | { readonly is: 'binary'; readonly op: BinaryOperator; readonly left: Expr; readonly right: Expr }
  | { readonly is: 'call'; readonly name: string; readonly args: readonly Expr[] };
