import { constants as files } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/*
 * Opens what a path was found to be. A path is judged before it is opened, and whoever works in the same directory may put
 * a link in the place of any part of it meanwhile; so what is open is asked where it is, and what is done in a directory is
 * done in the one that is open.
 */

/** It is not there any more, or something else is. */
export class Moved extends Error {}

/**
 * Opens a path without a link in it. Rejects with `Moved` when what was opened is elsewhere, else as the system does.
 * `flags` as of `constants`.
 */
export async function openHeld(path: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags | files.O_NOFOLLOW);
  if (await isAt(handle, path).catch(() => false)) return handle;
  await handle.close();
  throw new Moved();
}

/** Opens the directory at a path without a link in it, and makes what is missing of it. Rejects as `openHeld`. */
export async function openDirectory(path: string): Promise<FileHandle> {
  const there = await openHeld(path, DIRECTORY).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (there !== null) return there;
  await using above = await openDirectory(dirname(path));
  const own = within(above, dirname(path), basename(path));
  await mkdir(own).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  return await open(own, DIRECTORY | files.O_NOFOLLOW);
}

/** The path of a name in an open directory, whatever has become of the directory's own path where the system can say so. */
export function within(directory: FileHandle, path: string, name: string): string {
  return LINUX ? `/proc/self/fd/${directory.fd}/${name}` : join(path, name);
}

const LINUX = process.platform === 'linux';
/** How a directory is opened. */
export const DIRECTORY = files.O_RDONLY | files.O_DIRECTORY;

async function isAt(handle: FileHandle, path: string): Promise<boolean> {
  if (LINUX) return (await readlink(`/proc/self/fd/${handle.fd}`)) === path;
  const [own, found] = await Promise.all([handle.stat(), stat(path)]);
  return (await realpath(path)) === path && own.ino === found.ino && own.dev === found.dev;
}
