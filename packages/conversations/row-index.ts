/**
 * `index.json` of a home: the rows of the list as they were last read, each with the marks of the files that it was made
 * from. It is a cache and says nothing by itself: a row of it counts only while those files bear the same marks, so it may
 * be lost, damaged, or of any other time or place.
 */
import { z } from 'zod';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import { sumOf } from '@hearth/store/digest.ts';
import type { Disk, FileMark } from '@hearth/store/disk.ts';
import { checkedJson } from '@hearth/store/schema.ts';
import {
  conversationPath,
  type HomeDirectory,
  journalPath,
  recordPath,
  stateOfEpoch,
} from './conversation-directory.ts';
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

/** To be raised whenever rows are made otherwise from the same files. */
const FORMAT = 1;
/** How many files a row is made from. */
const FILES = 3;
/** Rows whose files are looked at before what that took is given back. */
const BATCH = 256;

/** The sum in front of the rows vouches for what is inside. */
const Index = z.custom<readonly IndexedRow[]>(value => Array.isArray(value));

/** The rows of the index that are still those of the files. No failure is told: what is not here is read. */
export async function indexedRows(
  disk: Disk,
  home: HomeDirectory,
  ids: ReadonlySet<ConversationId>,
): Promise<ReadonlyMap<ConversationId, IndexedRow>> {
  const known = (await readIndex(disk, home.index)).filter(({ row }) => ids.has(row.id));
  const same = new Map<ConversationId, IndexedRow>();
  for (let at = 0; at < known.length; at += BATCH) {
    const batch = known.slice(at, at + BATCH);
    const marks = await disk.marksOf(batch.flatMap(({ row, source }) => filesOf(home, row.id, source)));
    for (const [index, indexed] of batch.entries()) {
      const unchanged = indexed.source.marks.every((mark, file) => mark === marks[index * FILES + file]);
      if (unchanged) same.set(indexed.row.id, indexed);
    }
  }
  return same;
}

/** Replaces the index. What cannot be told apart from a later change is left out. */
export async function writeIndex(disk: Disk, path: string, rows: readonly IndexedRow[]): Promise<void> {
  const kept = JSON.stringify(rows.filter(({ source }) => !source.marks.includes(null)));
  await writeAtomic(disk, path, new TextEncoder().encode(`${headOf(kept)}\n${kept}\n`));
}

async function readIndex(disk: Disk, path: string): Promise<readonly IndexedRow[]> {
  const bytes = await disk.read(path).catch(() => null);
  if (bytes === null) return [];
  const [head, rows = ''] = new TextDecoder().decode(bytes).split('\n');
  if (head !== headOf(rows)) return [];
  const result = checkedJson(Index, rows);
  return result.ok ? result.value : [];
}

/** The first line vouches for the second. */
function headOf(rows: string): string {
  return JSON.stringify({ index: FORMAT, sum: sumOf(rows) });
}

function filesOf(
  home: HomeDirectory,
  id: ConversationId,
  { epoch, generation }: RowSource,
): readonly string[] {
  const root = conversationPath(home, id);
  const state = stateOfEpoch(root, epoch);
  return [recordPath(root), state.snapshot, journalPath(state, generation)];
}
