import type { Position } from '../diagnostic.ts';
import type { Entry } from './kinds.ts';
import { intOf } from './kinds.ts';
import { laterClause } from './later.ts';
import type { Parser, Spanned } from './parser.ts';

export type WhenSyntax = { readonly at: Position } & (
  | { readonly is: 'field'; readonly field: string; readonly negated: boolean }
  | { readonly is: 'expr'; readonly text: string }
);

export interface LoopSyntax {
  readonly name: string;
  readonly at: Position;
  /** A number, or a string that holds a template. */
  readonly cap: number | string;
  readonly capAt: Position;
}

export interface EdgeSyntax {
  readonly from: Spanned<string>;
  readonly to: Spanned<string>;
  readonly at: Position;
  readonly when: WhenSyntax | null;
  readonly loop: LoopSyntax | null;
  readonly with: readonly Entry[];
}

interface Clauses {
  when?: WhenSyntax;
  as?: LoopSyntax;
  with?: readonly Entry[];
}

/** `src -> dst` and at most one each of `when`, `as` and `with`. A wrong clause ends the edge; it is kept so far. */
export function readEdge(parser: Parser): EdgeSyntax | undefined {
  const from = parser.name('the node that the edge leaves');
  if (from === undefined || !parser.expect('->')) return undefined;
  const to = parser.name('the node that the edge enters');
  if (to === undefined) return undefined;
  const clauses: Clauses = {};
  while (readClause(parser, clauses));
  return {
    from,
    to,
    at: from.at,
    when: clauses.when ?? null,
    loop: clauses.as ?? null,
    with: clauses.with ?? [],
  };
}

/** Reads one clause; false when there is none or it is wrong. */
function readClause(parser: Parser, clauses: Clauses): boolean {
  const { text, at, kind } = parser.token;
  if (kind !== 'word' && kind !== 'mark') return false;
  const later = laterClause(text);
  if (later !== undefined) {
    parser.later(at, later);
    parser.skipEntry();
    return false;
  }
  if (text !== 'when' && text !== 'as' && text !== 'with') return false;
  if (clauses[text] !== undefined) {
    parser.error('E030', at, `the edge already has a \`${text}\` clause`);
  }
  return parser.node(text, () => {
    parser.take();
    if (text === 'when') return keep(parser, readWhen(parser), when => (clauses.when ??= when));
    if (text === 'as') return keep(parser, readLoop(parser), loop => (clauses.as ??= loop));
    return keep(parser, readWith(parser), entries => (clauses.with ??= entries));
  });
}

function keep<T>(parser: Parser, value: T | undefined, put: (value: T) => void): boolean {
  if (value === undefined) parser.skipEntry();
  else put(value);
  return value !== undefined;
}

function readWhen(parser: Parser): WhenSyntax | undefined {
  const { token } = parser;
  if (token.kind === 'string') {
    if (token.value.trim() === '') {
      parser.expected('a condition', 'an empty string holds for no edge; leave the clause out');
      return undefined;
    }
    parser.take();
    return { at: token.at, is: 'expr', text: token.value };
  }
  const negated = parser.accept('not');
  const field = parser.name('a field or an expression in quotes');
  return field && { at: field.at, is: 'field', field: field.value, negated };
}

function readLoop(parser: Parser): LoopSyntax | undefined {
  const name = parser.name('the name of the loop');
  if (name?.value === 'foreach' && parser.token.kind === 'word') {
    parser.later(name.at, '`foreach` edges');
    return undefined;
  }
  if (name === undefined || !parser.expect('(')) return undefined;
  const { token } = parser;
  if (token.text === 'unbounded' && token.kind === 'word') {
    parser.later(token.at, 'unbounded loops');
    return undefined;
  }
  if (token.kind !== 'int' && token.kind !== 'string') {
    parser.expected('how often the loop may be taken, as a number or a reference in quotes');
    return undefined;
  }
  parser.take();
  const cap = token.kind === 'int' ? intOf(parser, token) : token.value;
  return parser.expect(')') ? { name: name.value, at: name.at, cap, capAt: token.at } : undefined;
}

function readWith(parser: Parser): readonly Entry[] | undefined {
  if (!parser.is('{')) {
    parser.expected('`{`');
    return undefined;
  }
  const entries: Entry[] = [];
  let whole = true;
  parser.braces(() => {
    const name = parser.name('the key of a value');
    const value = name && parser.expect(':') ? parser.string(`a string for \`${name.value}\``) : undefined;
    if (name && value) entries.push({ name, value });
    else whole = false;
    return whole;
  });
  return whole ? entries : undefined;
}
