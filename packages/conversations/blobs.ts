/** `blobs/<sha256>`: attachments and long text, immutable, named by what they hold. */
import type { Digest } from '@hearth/protocol/ids.ts';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import { sha256 } from '@hearth/store/digest.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { blobPath, type EpochDirectory } from './conversation-directory.ts';

/** Keeps bytes, durable when it resolves; the same bytes are kept once. */
export async function putBlob(disk: Disk, epoch: EpochDirectory, bytes: Uint8Array): Promise<Digest> {
  const digest = sha256(bytes);
  const path = blobPath(epoch, digest);
  const found = await disk.stat(path);
  if (found?.bytes !== bytes.length) {
    await writeAtomic(disk, path, bytes);
    return digest;
  }
  // What an earlier attempt left may be in memory alone.
  await disk.syncFile(path);
  await disk.syncDirectory(epoch.blobs);
  return digest;
}

/** The bytes of that digest; `null` when they are not here or are no longer what their name says. */
export async function getBlob(disk: Disk, epoch: EpochDirectory, digest: Digest): Promise<Uint8Array | null> {
  const bytes = await disk.read(blobPath(epoch, digest));
  return bytes !== null && sha256(bytes) === digest ? bytes : null;
}
