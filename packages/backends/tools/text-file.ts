import { constants, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/*
 * Reads and replaces a text file of the workspace in one bounded piece. Only regular files are opened for reading, so that a pipe or a
 * device cannot hold a turn; a link put in the place of a checked path is not followed.
 */

/** Files above this many bytes are refused. */
export const FILE_LIMIT = 4 * 1024 * 1024;

/** A file's text, or why it cannot be shown. */
export type TextFile = { readonly text: string } | { readonly refused: string };

/** Reads `path`, which must be resolved; `name` is what the refusals call it. Never rejects. */
export async function readText(path: string, name: string): Promise<TextFile> {
  try {
    await using handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (stat.isDirectory()) return { refused: `"${name}" is a directory; use glob to see its files.` };
    if (!stat.isFile()) return { refused: `"${name}" is not a regular file.` };
    if (stat.size > FILE_LIMIT)
      return { refused: `"${name}" is larger than ${FILE_LIMIT / 1024 / 1024} MiB; use grep on it.` };
    const bytes = await handle.readFile();
    if (bytes.subarray(0, 8192).includes(0)) return { refused: `"${name}" is not a text file.` };
    return { text: bytes.toString('utf8') };
  } catch {
    return { refused: `"${name}" cannot be read.` };
  }
}

/** What was written, or why nothing was. */
export type Written = { readonly bytes: number; readonly created: boolean } | { readonly refused: string };

/**
 * Replaces the file at `path`, which must be resolved, or makes it. Its mode stays. What could not be read again is not
 * written. Never rejects.
 */
export async function writeText(path: string, name: string, text: string): Promise<Written> {
  const bytes = Buffer.byteLength(text);
  if (bytes > FILE_LIMIT)
    return { refused: `"${name}" would be larger than ${FILE_LIMIT / 1024 / 1024} MiB.` };
  const old = await lstat(path).catch(() => null);
  if (old !== null && !old.isFile()) return { refused: `"${name}" is not a regular file.` };
  const temp = join(dirname(path), `.${basename(path)}.${process.pid}.hearth-tmp`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await using handle = await open(temp, 'wx', old === null ? 0o666 : old.mode & 0o777);
    await handle.writeFile(text);
    await handle.sync();
    await rename(temp, path);
    return { bytes, created: old === null };
  } catch {
    await rm(temp, { force: true }).catch(() => undefined);
    return { refused: `"${name}" cannot be written.` };
  }
}
