import type { Placed, Source } from './source.ts';

/*
 * Where a place in a source is: in a reference, an expression, at the name of a property, at its value, on an edge. It
 * goes by the tokens and their columns, so it also knows its way in a source that is just being written.
 */

/** The lines that a place is inside of, outermost first, each by its words before a colon: `agent a`, `memory`. */
export interface Around {
  /** The keyword of the declaration; empty at the top. */
  readonly kind: string;
  /** The name of the declaration; empty when it has none. */
  readonly owner: string;
  /** The properties and entries below it that the place is inside of. */
  readonly path: readonly string[];
}

/** What is being written at a place. */
export type Context =
  | { readonly at: 'nothing' }
  | { readonly at: 'declaration' }
  /** `path` holds the parts that are complete. */
  | {
      readonly at: 'reference';
      readonly path: readonly string[];
      readonly around: Around;
      readonly edge: Edge | null;
    }
  | {
      readonly at: 'expression';
      readonly path: readonly string[];
      readonly around: Around;
      readonly edge: Edge | null;
    }
  /** The first word of a line in a block. */
  | { readonly at: 'name'; readonly around: Around }
  /** What stands behind the colon of the property or entry `name`. */
  | { readonly at: 'value'; readonly name: string; readonly around: Around }
  | { readonly at: 'modifier'; readonly around: Around }
  | { readonly at: 'target'; readonly modifier: string; readonly around: Around }
  | { readonly at: 'entering' }
  | { readonly at: 'clause'; readonly edge: Edge; readonly clause: string }
  | { readonly at: 'key'; readonly edge: Edge };

/** The ends of an edge as far as they are written. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

const NOTHING: Context = { at: 'nothing' };

/** The context of an offset. */
export function contextAt(source: Source, offset: number): Context {
  const here = textAt(source, offset);
  const upTo = here?.start ?? wordStart(source, offset);
  const line = lineBefore(source, upTo);
  const around = aroundOf(source, line);
  if (here !== null) return inText(source, here, offset, line, around);
  const words = line.tokens.map(({ token }) => token.text);
  const group = groupAround(source, upTo);
  if (group !== null) {
    const last = source.tokens[source.indexAt(upTo - 1) - 1]?.token.text;
    const edge = edgeOf(group);
    return edge === null || last === ':' ? NOTHING : { at: 'key', edge };
  }
  if (around.kind === '') return words.length === 0 ? { at: 'declaration' } : NOTHING;
  if (around.kind === 'prompt') return NOTHING;
  if (words.length === 0) return { at: 'name', around };
  if (around.path.at(-1) === 'actions') return inAction(words, around);
  const edge = around.kind === 'workflow' && around.path.length === 0 ? edgeOf(words) : null;
  if (edge !== null) return onEdge(words, edge);
  if (words[0] === '-') return { at: 'value', name: around.path.at(-1) ?? '', around: upOne(around) };
  return words[1] === ':' ? { at: 'value', name: words[0] ?? '', around } : NOTHING;
}

/** What an offset is inside of, as a word of a property there would see it. */
export function aroundAt(source: Source, offset: number): Around {
  return aroundOf(source, lineBefore(source, offset));
}

interface Line {
  /** The number of blanks in front of its first token, or of the place itself on an empty line. */
  readonly indent: number;
  /** The tokens of the line that stand before the place. */
  readonly tokens: readonly Placed[];
  /** The index of its first token among all. */
  readonly first: number;
}

/** The string or the line of a prompt that an offset is inside of. */
function textAt(source: Source, offset: number): Placed | null {
  const found = source.tokens[source.indexAt(Math.max(0, offset - 1))];
  if (found === undefined) return null;
  const { token, start, end } = found;
  if (token.kind === 'prompt_line') return start <= offset && offset <= end ? found : null;
  if (token.kind === 'comment') return start < offset && offset < end ? found : null;
  const opens = /^["`|]/.test(token.text);
  if (token.kind === 'string') return start < offset && offset < end ? found : null;
  return token.kind === 'error' && opens && start < offset && offset <= end ? found : null;
}

function inText(source: Source, text: Placed, offset: number, line: Line, around: Around): Context {
  if (text.token.kind === 'comment') return NOTHING;
  const written = source.text.slice(text.start, offset);
  const words = line.tokens.map(({ token }) => token.text);
  const edge = edgeOf(groupAround(source, text.start) ?? words);
  const open = written.lastIndexOf('{{');
  if (open >= 0 && open > written.lastIndexOf('}}')) {
    const parts = written
      .slice(open + 2)
      .replace(/^\s*!?\s*/, '')
      .split('.');
    return { at: 'reference', path: parts.slice(0, -1), around, edge };
  }
  const guards = words.at(-1) === 'when' || (words.at(-1) === ':' && words.at(-2) === 'when');
  if (!guards && around.path.at(-1) !== 'expr') return NOTHING;
  const parts = (/[\p{L}_][\p{L}\p{N}_.]*$/u.exec(written.slice(1))?.[0] ?? '').split('.');
  return { at: 'expression', path: parts.slice(0, -1), around, edge };
}

function inAction(words: readonly string[], around: Around): Context {
  const open = words.lastIndexOf('[');
  if (open < 0 || words.includes(']')) return NOTHING;
  if (words.at(-1) === ':') return { at: 'target', modifier: words.at(-2) ?? '', around };
  return words.at(-1) === '[' || words.at(-1) === ',' ? { at: 'modifier', around } : NOTHING;
}

function onEdge(words: readonly string[], edge: Edge): Context {
  if (words.at(-1) === '->') return { at: 'entering' };
  const opens = words.lastIndexOf('opens');
  if (opens > 0 && words[opens + 1] === '[' && !words.includes(']', opens))
    return { at: 'clause', edge, clause: 'opens' };
  const last = words.at(-1) ?? '';
  if (last === 'not' && words.at(-2) === 'when') return { at: 'clause', edge, clause: 'when' };
  return {
    at: 'clause',
    edge,
    clause: ['when', 'on', 'as', 'with', 'opens'].includes(last) && words.at(-2) !== '->' ? last : '',
  };
}

/** The ends of the edge that a line is, when it is one. */
function edgeOf(words: readonly string[]): Edge | null {
  const arrow = words.lastIndexOf('->');
  return arrow < 1 ? null : { from: words[arrow - 1] ?? '', to: words[arrow + 1] ?? '' };
}

/** The words of the line that opens the braces around an offset, when there are any. */
function groupAround(source: Source, offset: number): readonly string[] | null {
  let depth = 0;
  for (let index = source.indexAt(offset - 1); index >= 0; index -= 1) {
    const found = source.tokens[index];
    if (found === undefined || found.end > offset) continue;
    const { token } = found;
    if (token.at.column === 1 && token.kind === 'word') return null;
    if (token.kind !== 'mark') continue;
    if (token.text === '}') depth += 1;
    if (token.text === '{') depth -= 1;
    if (depth < 0) return lineBefore(source, found.start).tokens.map(one => one.token.text);
  }
  return null;
}

/** Where the word that ends at an offset begins. */
function wordStart(source: Source, offset: number): number {
  return (
    offset - (/[\p{L}\p{N}_]*$/u.exec(source.text.slice(Math.max(0, offset - 200), offset))?.[0].length ?? 0)
  );
}

function lineBefore(source: Source, offset: number): Line {
  const begin = source.text.lastIndexOf('\n', offset - 1) + 1;
  const first = source.indexAt(begin);
  const tokens: Placed[] = [];
  for (let index = first; index < source.tokens.length; index += 1) {
    const placed = source.tokens[index];
    if (placed === undefined || placed.end > offset) break;
    if (placed.start >= begin && placed.token.kind !== 'newline') tokens.push(placed);
  }
  const start = tokens[0]?.start ?? offset;
  return { indent: start - begin, tokens, first };
}

/** Goes up through the lines that are indented less and less. */
function aroundOf(source: Source, { indent, first }: Line): Around {
  const heads: (readonly string[])[] = [];
  let limit = indent;
  for (let index = first - 1; index >= 0 && limit > 0; index -= 1) {
    const found = source.tokens[index];
    if (found === undefined || !beginsLine(source, index)) continue;
    const { token } = found;
    if (token.kind === 'comment' || token.kind === 'prompt_line' || token.at.column - 1 >= limit) continue;
    limit = token.at.column - 1;
    heads.unshift([token.text, source.tokens[index + 1]?.token.text ?? '']);
  }
  const [[kind = '', name = ''] = [], ...inner] = limit === 0 ? heads : [];
  return { kind, owner: name === ':' ? '' : name, path: inner.map(([word = '']) => word) };
}

function beginsLine(source: Source, index: number): boolean {
  const before = source.tokens[index - 1]?.token;
  return before === undefined || before.at.line < (source.tokens[index]?.token.at.line ?? 0);
}

function upOne({ kind, owner, path }: Around): Around {
  return { kind, owner, path: path.slice(0, -1) };
}
