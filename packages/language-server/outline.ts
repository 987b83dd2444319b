import type { Token } from '@hearth/language/lex/token.ts';
import type { Tree } from '@hearth/language/parse/tree.ts';
import { SymbolKind } from 'vscode-languageserver/node';
import { type Name, namesIn } from './names.ts';
import type { Source } from './source.ts';

/** A declaration in the outline; offsets as in the source. */
export interface Entry {
  readonly name: string;
  readonly detail: string;
  readonly kind: SymbolKind;
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly children: readonly Entry[];
}

const KINDS: Readonly<Partial<Record<Name['kind'], SymbolKind>>> = {
  node: SymbolKind.Class,
  schema: SymbolKind.Interface,
  field: SymbolKind.Field,
  prompt: SymbolKind.String,
  var: SymbolKind.Variable,
  preset: SymbolKind.Constant,
  attachment: SymbolKind.File,
  secret: SymbolKind.Key,
  artifact: SymbolKind.Struct,
  cursor: SymbolKind.Number,
  mcp_server: SymbolKind.Module,
  action: SymbolKind.Method,
  workflow: SymbolKind.Module,
};

/** The declarations of a source, with the fields, vars and actions in them. */
export function outlineOf(source: Source): readonly Entry[] {
  const names = namesIn(source)
    .filter(one => one.role === 'declared' && KINDS[one.kind] !== undefined)
    .toSorted((a, b) => a.start - b.start);
  // Constructs stand one behind the other, so each name is looked at once.
  let next = 0;
  const takeUpTo = (end: number): readonly Name[] => {
    const from = next;
    while ((names[next]?.start ?? end) < end) next += 1;
    return names.slice(from, next);
  };
  return source.parsed.tree.children.flatMap(child => {
    if (!('children' in child)) return [];
    const span = spanOf(source, child);
    if (span === null) return [];
    takeUpTo(span.start);
    const inside = takeUpTo(span.end);
    const [first, ...rest] = inside;
    if (first === undefined) return [];
    if (DECLARED.has(first.kind))
      return [{ ...entryOf(first, child.kind), ...span, children: rest.map(one => entryOf(one, '')) }];
    const head = {
      ...entryOf(first, ''),
      name: child.kind,
      kind: SymbolKind.Namespace,
      nameStart: span.start,
    };
    return [
      {
        ...head,
        ...span,
        nameEnd: span.start + child.kind.length,
        children: inside.map(one => entryOf(one, '')),
      },
    ];
  });
}

const DECLARED: ReadonlySet<Name['kind']> = new Set([
  'node',
  'schema',
  'prompt',
  'artifact',
  'cursor',
  'mcp_server',
  'workflow',
]);

function entryOf({ text, kind, start, end }: Name, detail: string): Entry {
  return {
    name: text,
    detail: detail === '' ? kind : detail,
    kind: KINDS[kind] ?? SymbolKind.Object,
    start,
    end,
    nameStart: start,
    nameEnd: end,
    children: [],
  };
}

/** From the first to the last token of a construct that is more than layout. */
function spanOf(source: Source, tree: Tree): { readonly start: number; readonly end: number } | null {
  const tokens: Token[] = [];
  const walk = (child: Tree | Token): void => {
    if ('children' in child) child.children.forEach(walk);
    else if (child.text.trim() !== '') tokens.push(child);
  };
  walk(tree);
  const [first] = tokens;
  const last = tokens.findLast(token => token.kind !== 'comment');
  if (first === undefined || last === undefined) return null;
  return { start: source.placeOf(first).start, end: source.placeOf(last).end };
}
