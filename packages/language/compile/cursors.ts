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

/** The cursors of a file by name, and what is wrong with them. */
export interface DeclaredCursors {
  readonly cursors: ReadonlyMap<string, Cursor>;
  readonly problems: readonly CursorProblem[];
}

/** A part of 0..1, both ends in it. */
interface Range {
  readonly low: number;
  readonly high: number;
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
    ranges.push({ ...band, text: value.value });
  }
  const overlapping = bands[firstOverlap(ranges)]?.name;
  if (overlapping) {
    return wrong(`has the band \`${overlapping.value}\`, which overlaps another`, overlapping.at);
  }
  return {
    name: name.value,
    description: properties.description?.value ?? null,
    values: values.map(({ name: of, value }) => ({ name: of.value, text: value.value })),
    bands: ranges,
  };
}

/** The index of the first range that overlaps one before it, or -1. Sorted ranges overlap where two neighbours do. */
function firstOverlap(ranges: readonly Range[]): number {
  const overlap = (count: number): boolean => {
    const sorted = ranges.slice(0, count).toSorted((a, b) => a.low - b.low);
    return sorted.some(({ high }, index) => high >= (sorted[index + 1]?.low ?? Infinity));
  };
  if (!overlap(ranges.length)) return -1;
  let [without, withIt] = [0, ranges.length];
  while (withIt - without > 1) {
    const middle = (without + withIt) >> 1;
    if (overlap(middle)) withIt = middle;
    else without = middle;
  }
  return withIt - 1;
}

function bandOf(range: string): Range | undefined {
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
  const { names, bands } = choicesOf(cursor);
  if (number === undefined) return names.has(value);
  if (number < 0 || number > 1) return false;
  return bands.length === 0 || number <= (bands[lastFrom(bands, number)]?.high ?? -1);
}

/** What a cursor says at a value; `null` where it has no such value (`hasValue`). */
export function fragmentOf(cursor: Cursor, value: string): string | null {
  if (!hasValue(cursor, value)) return null;
  const number = numberOf(value);
  if (number === undefined) return cursor.values.find(one => one.name === value)?.text ?? null;
  const { values, bands } = cursor;
  if (bands.length > 0) return bands.find(({ low, high }) => low <= number && number <= high)?.text ?? null;
  return values[Math.min(Math.floor(number * values.length), values.length - 1)]?.text ?? null;
}

interface Choices {
  readonly names: ReadonlySet<string>;
  /** In order; bands of a cursor do not overlap. */
  readonly bands: readonly Range[];
}

const choices = new WeakMap<Cursor, Choices>();

/** What a cursor may be set to. Every setting asks, so the answer is remembered. */
function choicesOf(cursor: Cursor): Choices {
  const found = choices.get(cursor) ?? {
    names: new Set(cursor.values.map(one => one.name)),
    bands: cursor.bands.toSorted((a, b) => a.low - b.low),
  };
  choices.set(cursor, found);
  return found;
}

/** The index of the last range that begins at a number or before it, or -1. */
function lastFrom(sorted: readonly Range[], number: number): number {
  let [last, after] = [-1, sorted.length];
  while (after - last > 1) {
    const middle = (last + after) >> 1;
    if ((sorted[middle]?.low ?? Infinity) <= number) last = middle;
    else after = middle;
  }
  return last;
}

/** Whether the environment decides a value at run time. */
export function isOpen(value: string): boolean {
  return value.includes('${') && value.includes('}');
}
