import type { Position } from '../diagnostic.ts';
import type { Entry } from './kinds.ts';
import { ids, intOf } from './kinds.ts';
import { NEEDS_PROFILE_2, type Parser, type Spanned } from './parser.ts';

/** The condition of an edge: a field of the source's output, perhaps negated, or an expression not parsed yet. */
export type WhenSyntax = { readonly at: Position } & (
  | { readonly is: 'field'; readonly field: string; readonly negated: boolean }
  | { readonly is: 'expr'; readonly text: string }
);

/** `as NAME(cap)` on an edge: the loop that it belongs to, and how often it may be taken. */
export interface LoopSyntax {
  readonly name: string;
  readonly at: Position;
  /** A number, or a string that holds a template. */
  readonly cap: number | string;
  readonly capAt: Position;
  /** Profile 2: bounded only by its fuel, which then is the cap; 0 when it has none. */
  readonly unbounded?: true;
}

/** One edge as written, with everything that may follow its arrow. */
export interface EdgeSyntax {
  readonly from: Spanned<string>;
  readonly to: Spanned<string>;
  readonly at: Position;
  readonly when: WhenSyntax | null;
  readonly loop: LoopSyntax | null;
  readonly with: readonly Entry[];
  /** The action of its source, or what became of it, that takes the edge. */
  readonly on: Spanned<string> | null;
  /** The artifacts of which a new case begins. */
  readonly opens: readonly Spanned<string>[];
  /** Profile 2: where the edge says that it is the fallback. */
  readonly else: Position | null;
}

/** How each clause is read once its keyword is known to begin one. */
const CLAUSES = {
  when: readWhen,
  as: readLoop,
  with: readWith,
  on: readOn,
  opens: readOpens,
  else: readElse,
};

type Clause = keyof typeof CLAUSES;
type Clauses = { [K in Clause]?: NonNullable<ReturnType<(typeof CLAUSES)[K]>> };

/** Words that begin a clause only where one can follow; elsewhere they are names. */
const BEGINS: Readonly<Partial<Record<Clause, (parser: Parser) => boolean>>> = {
  on: parser => parser.peek(1).kind === 'word' && parser.peek(2).text !== '->',
  opens: parser => parser.peek(1).text === '[',
  else: parser => parser.profile === 2,
};

/**
 * `src -> dst` and at most one of each clause. A wrong clause ends the edge; it is kept so far. In profile 2 edges may be
 * chained; the clauses belong to the last one.
 */
export function readEdges(parser: Parser): readonly EdgeSyntax[] | undefined {
  let from = parser.name('the node that the edge leaves');
  const edges: EdgeSyntax[] = [];
  while (from !== undefined) {
    if (!parser.is('->')) {
      const known = from.value === 'else' && parser.profile === 1;
      parser.expected('`->`', known ? NEEDS_PROFILE_2 : undefined);
      break;
    }
    if (edges.length > 0 && hasClauses(edges.at(-1))) {
      parser.error('E032', parser.at, 'the clauses of chained edges stand behind the last one');
    }
    parser.take();
    const to = parser.name('the node that the edge enters');
    if (to === undefined) break;
    edges.push({ from, to, at: from.at, ...readClauses(parser) });
    if (!parser.is('->') || parser.profile === 1) return edges;
    from = to;
  }
  if (edges.length === 0) return undefined;
  parser.skipEntry();
  return edges;
}

function hasClauses(edge: EdgeSyntax | undefined): boolean {
  if (edge === undefined) return false;
  const { when, loop, on } = edge;
  return (
    [when, loop, on, edge.else].some(one => one !== null) || edge.with.length > 0 || edge.opens.length > 0
  );
}

function readClauses(parser: Parser): Omit<EdgeSyntax, 'from' | 'to' | 'at'> {
  const clauses: Clauses = {};
  while (readClause(parser, clauses));
  const { when = null, as: loop = null, with: entries = [], on = null, opens = [] } = clauses;
  if (clauses.else && when) {
    parser.error('E031', clauses.else, 'an edge has either a condition or `else`');
  }
  return { when, loop, with: entries, on, opens, else: clauses.else ?? null };
}

/** Reads one clause; false when there is none or it is wrong. */
function readClause(parser: Parser, clauses: Clauses): boolean {
  const { text, at, kind } = parser.token;
  const clause = kind === 'word' && Object.hasOwn(CLAUSES, text) ? (text as Clause) : undefined;
  if (clause === undefined || BEGINS[clause]?.(parser) === false) return false;
  if (clauses[clause] !== undefined) {
    parser.error('E030', at, `the edge already has a \`${text}\` clause`);
  }
  return parser.node(text, () => {
    parser.take();
    const value = CLAUSES[clause](parser, at);
    if (value === undefined) parser.skipEntry();
    else if (clauses[clause] === undefined) Object.assign(clauses, { [clause]: value });
    return value !== undefined;
  });
}

function readOn(parser: Parser): Spanned<string> | undefined {
  return parser.name('the name of an action');
}

function readOpens(parser: Parser): readonly Spanned<string>[] | undefined {
  return ids.read(parser, 'opens');
}

function readElse(_parser: Parser, at: Position): Position {
  return at;
}

function readWhen(parser: Parser): WhenSyntax | undefined {
  const { token } = parser;
  if (token.kind === 'string') {
    if (token.value === '') {
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
  if (parser.profile === 2 && name?.value === 'foreach' && parser.token.kind === 'word') {
    parser.later(name.at, '`foreach` edges');
    return undefined;
  }
  if (name === undefined || !parser.expect('(')) return undefined;
  const { token } = parser;
  if (parser.profile === 2 && token.text === 'unbounded' && token.kind === 'word') {
    parser.take();
    const fuel = parser.token;
    const cap = fuel.kind === 'int' ? intOf(parser, parser.take(), 'E002') : 0;
    if (!parser.expect(')')) return undefined;
    return { name: name.value, at: name.at, cap, capAt: cap === 0 ? token.at : fuel.at, unbounded: true };
  }
  if (token.kind !== 'int' && token.kind !== 'string') {
    parser.expected('how often the loop may be taken, as a number or a reference in quotes');
    return undefined;
  }
  parser.take();
  const cap = token.kind === 'int' ? intOf(parser, token, 'E002') : token.value;
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
    const value = name && parser.expect(':') ? readValue(parser, name.value) : undefined;
    if (name && value) entries.push({ name, value });
    else whole = false;
    return whole;
  });
  return whole ? entries : undefined;
}

/** A string; in profile 2 a number, `true` or `false` is its own text. */
function readValue(parser: Parser, key: string): Spanned<string> | undefined {
  const { token } = parser;
  if (parser.profile === 2 && (token.kind === 'int' || token.kind === 'float')) {
    parser.take();
    return { value: token.text, at: token.at };
  }
  return parser.string(`a string for \`${key}\``);
}
