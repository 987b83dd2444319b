/** The rows of all conversations of a home. Those of the index are taken where they hold; the others are read. */
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { HomeDirectory } from './conversation-directory.ts';
import { type IndexedRow, indexedRows, writeIndex } from './row-index.ts';
import { isRow, readRows, type RowRead } from './row-reader.ts';

/** So many conversations are read as fast as an index is written, so fewer are not worth one. */
const WORTH = 64;

/** The rows in the order of `ids`. */
export async function listRows(
  disk: Disk,
  home: HomeDirectory,
  ids: readonly ConversationId[],
): Promise<readonly RowRead[]> {
  if (ids.length <= WORTH) return readRows(disk, home, ids);
  const indexed = await indexedRows(disk, home, new Set(ids));
  const read = await readRows(
    disk,
    home,
    ids.filter(id => !indexed.has(id)),
  );
  const found = new Map<ConversationId, RowRead>(read.map(one => [one.id, one]));
  for (const [id, { row, source }] of indexed) found.set(id, { id, row, source });
  const rows = ids.flatMap(id => found.get(id) ?? []);
  // It only saves time, so one that cannot be written is no failure.
  if (read.length > WORTH) await writeIndex(disk, home.index, rows.flatMap(keepable)).catch(() => undefined);
  return rows;
}

function keepable({ row, source }: RowRead): readonly IndexedRow[] {
  return source !== null && isRow(row) ? [{ row, source }] : [];
}
