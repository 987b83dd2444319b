import type { Position } from '@hearth/language/diagnostic.ts';
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';

/** YAML that was read; `locate` finds the place of a value, `locateKey` that of its key. */
export interface YamlText {
  readonly value: unknown;
  readonly locateKey: (path: readonly (string | number)[]) => Position;
  readonly locate: (path: readonly (string | number)[]) => Position;
}

/** Why a text is no YAML; `problem` continues a sentence that names the text. */
export interface YamlFault {
  readonly problem: string;
  readonly at: Position;
}

const START: Position = { line: 1, column: 1 };
/** How deep brackets may be nested; the YAML library follows them on its stack. */
const MAX_DEPTH = 100;

/** Reads YAML; never throws, whatever the text. Aliases may not be many times larger than what they repeat. */
export function readYaml(text: string): YamlText | YamlFault {
  if (isTooDeep(text)) return { problem: `is nested deeper than ${MAX_DEPTH} levels`, at: START };
  const lines = new LineCounter();
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    // The library looks for repeated keys, and for a key's place, one by one: with many keys neither would end.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    const broken = document.errors[0];
    if (broken !== undefined) {
      return {
        problem: `is not valid YAML: ${broken.message.split('\n')[0] ?? ''}`,
        at: place(broken.pos[0]),
      };
    }
    const repeated = repeatedKey(document);
    if (repeated !== null) {
      return { problem: `has the key "${repeated.key}" twice in one place`, at: place(repeated.offset) };
    }
    const value: unknown = document.toJS();
    const placeOf = placesIn(document);
    return {
      value,
      locate: path => place(placeOf(path, 'value')),
      locateKey: path => place(placeOf(path, 'key')),
    };
  } catch (error) {
    // The library throws for aliases that unfold without end or name nothing, and for what exhausts the stack.
    const words = error instanceof ReferenceError ? error.message : '';
    if (words === '') return { problem: 'is nested too deep to be read', at: START };
    const bomb = words.startsWith('Excessive alias count');
    const problem = bomb
      ? 'repeats its aliases too often: write the values out'
      : `is not valid YAML: ${words}`;
    return { problem, at: START };
  }
}

/** The second of two equal keys of one map, and where it stands. */
function repeatedKey(document: Document): { readonly key: string; readonly offset: number } | null {
  let found: { readonly key: string; readonly offset: number } | null = null;
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          found = { key: String(key.value), offset: key.range?.[0] ?? 0 };
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

type Part = 'key' | 'value';

/**
 * Finds the offset of a value or of its key. What is missing has no place of its own: what should hold it has one.
 */
function placesIn(document: Document): (path: readonly (string | number)[], part: Part) => number {
  const pairs = new WeakMap<YAMLMap, ReadonlyMap<unknown, { readonly [P in Part]: unknown }>>();
  const below = (node: unknown, key: string | number): { readonly [P in Part]?: unknown } => {
    if (isSeq(node)) return typeof key === 'number' ? { value: node.items[key] } : {};
    if (!isMap(node)) return {};
    const known =
      pairs.get(node) ?? new Map(node.items.map(one => [isScalar(one.key) ? one.key.value : null, one]));
    pairs.set(node, known);
    return known.get(key) ?? {};
  };
  return (path, part) => {
    let offset = 0;
    let node: unknown = document.contents;
    for (const [depth, name] of path.entries()) {
      const { key, value } = below(node, name);
      node = value;
      const wanted = part === 'key' && depth === path.length - 1 ? key : value;
      if (isNode(wanted) && wanted.range) offset = wanted.range[0];
    }
    return offset;
  };
}

/** Whether brackets or indentation go deeper than any manifest does; counted roughly, before anything is read. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1);
    else if (char === '\n') depth = 0;
    if (depth > MAX_DEPTH) return true;
  }
  return /^(?: {400}|(?:- ){100})/m.test(text);
}
