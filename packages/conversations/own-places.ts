/**
 * The directories of a conversation are its own. A link in the place of one would have another's files read and served,
 * and its own written elsewhere, since only the last part of a path is kept from being followed.
 */
import { join } from 'node:path';
import { DamagedFile } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { type ConversationDirectory, epochDirectory } from './conversation-directory.ts';

/** Rejects with `DamagedFile` when something else is in the place of a directory; what is missing is nobody's link. */
export async function checkOwnPlaces(disk: Disk, { root, epochs }: ConversationDirectory): Promise<void> {
  await check(disk, [root, epochs]);
  const names = (await disk.list(epochs)).filter(name => /^[1-9]\d*$/.test(name));
  await check(
    disk,
    names.map(name => join(epochs, name)),
  );
  await check(
    disk,
    names.flatMap(name => {
      const { root: epoch, plans, blobs, backend, traces } = epochDirectory({ root }, Number(name));
      return [plans, blobs, backend, traces, join(epoch, 'artifacts')];
    }),
  );
}

async function check(disk: Disk, paths: readonly string[]): Promise<void> {
  const found = await Promise.all(paths.map(path => disk.stat(path)));
  for (const [index, path] of paths.entries()) {
    const kind = found[index]?.kind ?? 'directory';
    if (kind !== 'directory') throw new DamagedFile(path, 'it is not a directory');
  }
}
