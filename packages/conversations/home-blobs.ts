import { dirname } from 'node:path';
import type { Digest } from '@hearth/protocol/ids.ts';
import type { BlobRef } from '@hearth/protocol/text.ts';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import { sha256 } from '@hearth/store/digest.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { earlierEpochs } from './archives.ts';
import { getBlob } from './blobs.ts';
import { epochDirectory, filePath } from './conversation-directory.ts';
import type { Opened } from './home-opening.ts';
import { makeOwn } from './own-places.ts';
import type { Quarantine } from './quarantine.ts';

/**
 * The bytes of a long text or an attachment; `null` when no epoch holds them. History goes back through all epochs, and so
 * do its long texts.
 */
export async function blobOf(
  disk: Disk,
  { directory, number }: Opened,
  digest: Digest,
): Promise<Uint8Array | null> {
  for (const epoch of [number, ...(await earlierEpochs(disk, directory, number))]) {
    const found = await getBlob(disk, epochDirectory(directory, epoch), digest);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Writes an attachment under its name into the present epoch, so that it leaves with it. Resolves to its path, or `null`
 * when its bytes are gone.
 */
export async function copied(
  disk: Disk,
  opened: Opened,
  quarantine: Quarantine,
  { blob, name }: Pick<BlobRef, 'blob' | 'name'>,
): Promise<string | null> {
  const path = filePath(opened.files, blob, name);
  await makeOwn(disk, dirname(path), quarantine);
  const there = await disk.read(path).catch(() => null);
  if (there !== null && sha256(there) === blob) return path;
  const bytes = await blobOf(disk, opened, blob);
  if (bytes === null) return null;
  await writeAtomic(disk, path, bytes);
  return path;
}
