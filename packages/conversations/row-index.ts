/**
 * `index.json` of a home: the rows of the list as they were once read, and the marks of the files that each was made from.
 * It is a cache of three lines: a head that vouches for the others, the rows, and where they come from. A row of it is shown
 * at once unless `behind.txt` names its conversation, and holds only while its files bear the same marks; so the file may be
 * lost, damaged, or of any other time or place.
 */
import { z } from 'zod';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import { sumOf } from '@hearth/store/digest.ts';
import type { Disk, FileMark } from '@hearth/store/disk.ts';
import { checkedJson } from '@hearth/store/schema.ts';
import type { StoredRow } from './ports.ts';

/** The files that a row was made from. */
export interface RowSource {
  readonly epoch: number;
  readonly generation: number;
  /** Those of the record, the snapshot and the journal. */
  readonly marks: readonly FileMark[];
}

/** A row as it was read once, good for as long as its files bear the marks in `source`. */
export interface IndexedRow {
  readonly row: StoredRow;
  readonly source: RowSource;
}

/** The index as it was read. */
export interface RowIndex {
  readonly rows: readonly StoredRow[];
  /** Where they come from, in their order: as much text as they are, and not needed before they are looked at. */
  sources(): readonly (RowSource | undefined)[];
}

/** To be raised whenever rows are made otherwise from the same files. */
const FORMAT = 2;
const NEWLINE = 10;

/** The sums in the head vouch for what is inside. */
const StoredRows = z.custom<readonly StoredRow[]>(value => Array.isArray(value));
const Sources = z.custom<readonly RowSource[]>(value => Array.isArray(value));

/** The index; empty when it cannot be read. */
export async function readIndex(disk: Disk, path: string): Promise<RowIndex> {
  const bytes = await disk.read(path).catch(() => null);
  if (bytes === null) return NO_INDEX;
  const [head, rows, sources] = linesOf(bytes);
  const [sum, sourceSum] = [sumOf(rows), sumOf(sources)];
  if (decoded(head) !== headOf(sum, sourceSum)) return NO_INDEX;
  return { rows: valuesIn(StoredRows, rows), sources: () => valuesIn(Sources, sources) };
}

/** Replaces the index. What cannot be told apart from a later change is left out. */
export async function writeIndex(disk: Disk, path: string, indexed: readonly IndexedRow[]): Promise<void> {
  const kept = indexed.filter(({ source }) => !source.marks.includes(null));
  const rows = JSON.stringify(kept.map(one => one.row));
  const sources = JSON.stringify(kept.map(one => one.source));
  const text = `${headOf(sumOf(rows), sumOf(sources))}\n${rows}\n${sources}\n`;
  await writeAtomic(disk, path, new TextEncoder().encode(text));
}

const NO_INDEX: RowIndex = { rows: [], sources: () => [] };

function headOf(rows: string, sources: string): string {
  return JSON.stringify({ index: FORMAT, rows, sources });
}

function linesOf(bytes: Uint8Array): readonly [Uint8Array, Uint8Array, Uint8Array] {
  const first = bytes.indexOf(NEWLINE);
  const second = bytes.indexOf(NEWLINE, first + 1);
  return [bytes.subarray(0, first), bytes.subarray(first + 1, second), bytes.subarray(second + 1, -1)];
}

function valuesIn<T>(schema: z.ZodType<readonly T[]>, line: Uint8Array): readonly T[] {
  const result = checkedJson(schema, decoded(line));
  return result.ok ? result.value : [];
}

function decoded(line: Uint8Array): string {
  return new TextDecoder().decode(line);
}
