import { dirname, join } from 'node:path';
import type { Slots } from './bundle-contents.ts';

/*
 * The cache of unpacked bundles: one directory for each content, named by its digest. A slot appears at once and whole,
 * by a rename, so one that is there is complete and is never written again. Modes are those of the home, 0700 and 0600.
 */

let made = 0;

/** Keeps the files in their slot; resolves to its path. Rejects with `DiskError`. */
export async function keepUnpacked(
  { disk, directory }: Slots,
  slot: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<string> {
  const path = join(directory, slot);
  if ((await disk.stat(path))?.kind === 'directory') return path;
  made += 1;
  const temp = join(directory, `.${slot}.${process.pid}-${made}.tmp`);
  await disk.makeDirectory(directory);
  await disk.remove(temp);
  const directories = new Set([temp]);
  try {
    await disk.makeDirectory(temp);
    for (const [name, bytes] of files) {
      const file = join(temp, name);
      directories.add(dirname(file));
      await disk.makeDirectory(dirname(file));
      await disk.write(file, bytes);
      await disk.syncFile(file);
    }
    for (const made of directories) await disk.syncDirectory(made);
    await disk.rename(temp, path);
  } catch (failure) {
    await disk.remove(temp).catch(() => undefined);
    // Another load of the same archive may have been first; its slot is as good.
    if ((await disk.stat(path))?.kind === 'directory') return path;
    throw failure;
  }
  await disk.syncDirectory(directory);
  return path;
}
