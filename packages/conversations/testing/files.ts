import type { Disk } from '@hearth/store/disk.ts';
import { HOME, textOfFile } from './sample-home.ts';

/** For tests: every file of a disk below a directory, with what it holds. */
export async function filesOf(disk: Disk, path = HOME): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of await disk.list(path)) {
    const child = `${path}/${name}`;
    if ((await disk.stat(child))?.kind === 'directory') Object.assign(found, await filesOf(disk, child));
    else found[child] = await textOfFile(disk, child);
  }
  return found;
}
