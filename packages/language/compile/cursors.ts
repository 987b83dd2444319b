import type { Position } from '../diagnostic.ts';
import type { CursorSyntax } from '../parse/cursor.ts';
import type { FileSyntax } from '../parse/file.ts';
import type { Cursor } from '../plan/settings.ts';

/** What is wrong with a declaration, the first thing only; such a cursor counts as not declared. */
export interface CursorProblem {
  readonly code: 'C085' | 'C086';
  readonly message: string;
  readonly at: Position;
}

export interface DeclaredCursors {
  readonly cursors: ReadonlyMap<string, Cursor>;
  readonly problems: readonly CursorProblem[];
}

const known = new WeakMap<FileSyntax, DeclaredCursors>();

/** The cursors of a file by name. Every node that sets one asks, so the answer is remembered. */
export function cursorsOf(file: FileSyntax): DeclaredCursors {
  const found = known.get(file) ?? judge(file);
  known.set(file, found);
  return found;
}

function judge(file: FileSyntax): DeclaredCursors {
  const cursors = new Map<string, Cursor>();
  const problems: CursorProblem[] = [];
  for (const syntax of file.declarations) {
    if (syntax.kind !== 'cursor') continue;
    const { value: name, at } = syntax.name;
    const cursor = cursors.has(name)
      ? {
          code: 'C086' as const,
          message: `the cursor \`${name}\` is declared twice; only the first counts`,
          at,
        }
      : cursorOf(syntax);
    if ('code' in cursor) problems.push(cursor);
    else cursors.set(name, cursor);
  }
  return { cursors, problems };
}

function cursorOf({ name, properties }: CursorSyntax): Cursor | CursorProblem {
  const wrong = (message: string, at = name.at): CursorProblem => ({
    code: 'C085',
    message: `the cursor \`${name.value}\` ${message}`,
    at,
  });
  const values = properties.values?.value ?? [];
  const bands = properties.bands?.value ?? [];
  if ((values.length === 0) === (bands.length === 0)) return wrong('has either values or bands');
  const seen = new Set<string>();
  for (const { name: of, value } of values) {
    if (value.value === '') return wrong('has an empty text', value.at);
    if (seen.has(of.value)) return wrong(`has the value \`${of.value}\` twice`, of.at);
    seen.add(of.value);
  }
  const ranges: Cursor['bands'][number][] = [];
  for (const { name: range, value } of bands) {
    const band = bandOf(range.value);
    if (band === undefined) return wrong(`has \`${range.value}\`, which is no range within 0..1`, range.at);
    if (ranges.some(one => one.low <= band.high && band.low <= one.high)) {
      return wrong(`has the band \`${range.value}\`, which overlaps another`, range.at);
    }
    ranges.push({ ...band, text: value.value });
  }
  return {
    name: name.value,
    description: properties.description?.value ?? null,
    values: values.map(({ name: of, value }) => ({ name: of.value, text: value.value })),
    bands: ranges,
  };
}

function bandOf(range: string): { readonly low: number; readonly high: number } | undefined {
  const dots = range.indexOf('..');
  if (dots < 0) return undefined;
  const low = numberOf(range.slice(0, dots));
  const high = numberOf(range.slice(dots + 2));
  if (low === undefined || high === undefined) return undefined;
  return low >= 0 && low <= high && high <= 1 ? { low, high } : undefined;
}

/** Reads a decimal number, spaces around it aside; `undefined` when the text is none. */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim();
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined;
}

/**
 * Whether a cursor has the value: a number within 0..1 that a band holds, or that stands for one of the values in their
 * order; else a value's name.
 */
export function hasValue(cursor: Cursor, value: string): boolean {
  const number = numberOf(value);
  if (number === undefined) return cursor.values.some(one => one.name === value);
  if (number < 0 || number > 1) return false;
  return cursor.bands.length === 0 || cursor.bands.some(band => band.low <= number && number <= band.high);
}

/** Whether the environment decides a value at run time. */
export function isOpen(value: string): boolean {
  return value.includes('${') && value.includes('}');
}
