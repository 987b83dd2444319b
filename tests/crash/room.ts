import { readFileSync, writeFileSync } from 'node:fs';
import type { AppendHandle, Disk } from '@hearth/store/disk.ts';
import { diskError } from '@hearth/store/disk-fault.ts';

/** As wide as any number of bytes here, since a shorter one is written over a longer one. */
const DIGITS = 12;

/**
 * A disk that takes as many more bytes as a file says, and any number while there is no such file. As on a real disk that
 * is full, the bytes that still fit are written before the write fails.
 */
export function bounded(disk: Disk, room: string): Disk {
  const left = (): number => {
    try {
      return Number(readFileSync(room, 'utf8'));
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  };
  const note = (bytes: number): void => {
    try {
      // Over what is there: a file that was taken away meanwhile must not come back, since the disk has room again.
      writeFileSync(room, String(bytes).padStart(DIGITS), { flag: 'r+' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  };
  const fitting = (bytes: Uint8Array): Uint8Array => {
    const before = left();
    const fits = bytes.subarray(0, Math.min(before, bytes.length));
    if (before !== Number.POSITIVE_INFINITY) note(before - fits.length);
    return fits;
  };
  const taken = async (path: string, bytes: Uint8Array, write: (part: Uint8Array) => Promise<void>) => {
    const part = fitting(bytes);
    await write(part);
    if (part.length < bytes.length) throw diskError('disk_full', path, 'ENOSPC');
  };
  const append = async (path: string): Promise<AppendHandle> => {
    const handle = await disk.append(path);
    return {
      write: bytes => taken(path, bytes, part => handle.write(part)),
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  };
  const write = (path: string, bytes: Uint8Array): Promise<void> =>
    taken(path, bytes, part => disk.write(path, part));
  return { ...disk, append, write };
}
