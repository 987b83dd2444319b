/** `snapshot.json` of an epoch: the state at one moment, and where the journal after it begins. */
import { z } from 'zod';
import { parseCursor, type Position } from '@hearth/protocol/cursor.ts';
import { DamagedFile, readJson } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { EpochDirectory } from './conversation-directory.ts';
import type { StoredSnapshot } from './ports.ts';

const SnapshotShape = z.looseObject({
  format: z.literal(1),
  epoch: z.int().positive(),
  generation: z.int().positive(),
  commit: z.int().nonnegative(),
  seq: z.int().nonnegative(),
  counters: z.looseObject({}),
  machine: z.looseObject({ pauses: z.array(z.unknown()) }),
  inbox: z.array(z.unknown()),
  ledgers: z.looseObject({}),
  view: z.looseObject({ head: z.string() }),
  updatedAt: z.string(),
  transcript: z.object({ seq: z.int().nonnegative(), bytes: z.int().nonnegative() }).exactOptional(),
  receipts: z.int().nonnegative().exactOptional(),
});
/** What `snapshot.json` holds; only what opening and listing rely on is looked at. */
export const SnapshotFile = z.custom<StoredSnapshot>(value => SnapshotShape.safeParse(value).success);

/** Reads an epoch's snapshot. Rejects with `DamagedFile`. */
export async function readSnapshot(
  disk: Disk,
  directory: Pick<EpochDirectory, 'snapshot'>,
): Promise<StoredSnapshot> {
  const found = await readJson(disk, directory.snapshot, SnapshotFile);
  if (found === null) throw new DamagedFile(directory.snapshot, 'it is missing');
  return found;
}

/** The position of the last event that the snapshot contains. */
export function headOf(snapshot: StoredSnapshot): Position {
  const head = parseCursor(snapshot.view.head);
  if (head !== null && head.seq === snapshot.seq && head.epoch === snapshot.epoch) return head;
  return { epoch: snapshot.epoch, seq: snapshot.seq, check: '000000' };
}
