/**
 * Reads the rows of the list from the disk, many at a time. One conversation that cannot be read, for whatever reason,
 * never keeps the others from being shown: its row is the reason.
 */
import { basename } from 'node:path';
import { quiescent } from '@hearth/engine/quiescent.ts';
import { nextDue } from '@hearth/engine/waits.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { DamagedFile, inItsPlace } from '@hearth/store/atomic-file.ts';
import { type Disk, DiskError, type FileRead, NOTHING } from '@hearth/store/disk.ts';
import { checkedJson } from '@hearth/store/schema.ts';
import type { ZodType } from 'zod';
import {
  conversationPath,
  type HomeDirectory,
  journalPath,
  recordPath,
  stateOfEpoch,
} from './conversation-directory.ts';
import type { ConversationRecord, StoredRow, StoredSnapshot } from './ports.ts';
import { RecordFile } from './record.ts';
import type { RowSource } from './row-index.ts';
import { SnapshotFile } from './snapshot.ts';
import { rowOf, stateOf } from './view.ts';

/** Why there is no row. `damaged`: no other attempt will find anything else, so it may be set aside. */
export interface Unreadable {
  readonly why: string;
  readonly damaged: boolean;
}

/** The row of one conversation, or why there is none. */
export interface RowRead {
  readonly id: ConversationId;
  readonly row: StoredRow | Unreadable;
  /** What the row was made from; `null` when there is none. */
  readonly source: RowSource | null;
}

/** Conversations that are read at the same time: few, so that what was read of them is soon given back. */
const BATCH = 32;
const decoder = new TextDecoder();

/** The rows in the order of `ids`. */
export async function readRows(
  disk: Disk,
  home: HomeDirectory,
  ids: readonly ConversationId[],
): Promise<readonly RowRead[]> {
  const rows: RowRead[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    // A batch is read at once, so that whatever else is to be done has its turn in between only.
    if (at > 0) await disk.moment();
    rows.push(...(await readBatch(disk, home, ids.slice(at, at + BATCH))));
  }
  return rows;
}

/** Whether the conversation could be read. */
export function isRow(row: StoredRow | Unreadable): row is StoredRow {
  return 'id' in row;
}

async function readBatch(
  disk: Disk,
  home: HomeDirectory,
  ids: readonly ConversationId[],
): Promise<readonly RowRead[]> {
  const roots = ids.map(id => conversationPath(home, id));
  const paths = roots.map(recordPath);
  const kinds = await Promise.all(roots.map(root => disk.stat(root).catch(() => null)));
  const records = await readAll(disk, RecordFile, paths);
  const states = roots.map((root, index) => {
    const record = records[index];
    return stateOfEpoch(root, isValue(record) ? record.value.epoch : 1);
  });
  const snapshots = await readAll(
    disk,
    SnapshotFile,
    states.map(state => state.snapshot),
  );
  const journals = await disk.readMany(
    states.map((state, index) => {
      const snapshot = snapshots[index];
      return journalPath(state, isValue(snapshot) ? snapshot.value.generation : 1);
    }),
  );
  return ids.map((id, index): RowRead => {
    try {
      // A link would lead to another's files.
      if (kinds[index]?.kind === 'other') throw new DamagedFile(roots[index] ?? '', 'it is not a directory');
      const { value: record, mark } = valueOf(records[index]);
      if (record.id !== id) throw new DamagedFile(paths[index] ?? '', `it is that of ${record.id}`);
      const { value: snapshot, mark: ofSnapshot } = valueOf(snapshots[index]);
      const journal = journals[index] ?? null;
      const marks = [mark, ofSnapshot, journal === null ? NOTHING : 'mark' in journal ? journal.mark : null];
      const source = { epoch: record.epoch, generation: snapshot.generation, marks };
      return { id, row: storedRow(record, snapshot, journal), source };
    } catch (thrown) {
      return { id, row: unreadable(id, thrown), source: null };
    }
  });
}

function storedRow(
  record: ConversationRecord,
  snapshot: StoredSnapshot,
  journal: FileRead | DiskError | null,
): StoredRow {
  const { title, bot, pinned, origin, restored, imported, mended } = record;
  const state = stateOf(snapshot);
  const view = { ...snapshot.view, id: record.id, title, bot, pinned, isDefault: record.default, state };
  // One that was brought back, or here, or mended, has still to say so.
  const told = restored === undefined && imported === undefined && mended === undefined;
  const said = told && (journal === null || ('bytes' in journal && journal.bytes.length === 0));
  return {
    ...rowOf({ ...view, scope: record.scope }, snapshot.updatedAt),
    // A wait that ends by itself must be looked after.
    settled: said && quiescent(snapshot) && nextDue(snapshot) === null,
    origin,
  };
}

type Found<T> = Pick<FileRead, 'mark'> & { readonly value: T };
type Read<T> = Found<T> | { readonly failure: unknown };

async function readAll<T>(
  disk: Disk,
  schema: ZodType<T>,
  paths: readonly string[],
): Promise<readonly Read<T>[]> {
  const found = await disk.readMany(paths);
  const read = async (path: string, index: number): Promise<Read<T>> => {
    const file = found[index] ?? null;
    if (file === null) return { failure: new DamagedFile(path, 'it is missing') };
    if (file instanceof DiskError) {
      const failure: unknown = await inItsPlace(disk, path, file).catch((thrown: unknown) => thrown);
      return { failure };
    }
    const result = checkedJson(schema, decoder.decode(file.bytes));
    if (!result.ok) return { failure: new DamagedFile(path, result.why) };
    return { value: result.value, mark: file.mark };
  };
  return Promise.all(paths.map(read));
}

function isValue<T>(read: Read<T> | undefined): read is Found<T> {
  return read !== undefined && 'value' in read;
}

function valueOf<T>(read: Read<T> | undefined): Found<T> {
  if (isValue(read)) return read;
  throw read?.failure;
}

function unreadable(id: ConversationId, thrown: unknown): Unreadable {
  if (thrown instanceof DamagedFile) {
    return {
      why: `${basename(thrown.path)} of the conversation ${id} cannot be read: ${thrown.why}.`,
      damaged: true,
    };
  }
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return { why: `The conversation ${id} cannot be read: ${why}`, damaged: false };
}
