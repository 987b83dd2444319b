import { constants, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { openDirectory, openHeld, within } from './held.ts';

/*
 * Reads and replaces a text file of the workspace in one bounded piece. Only regular files are opened for reading, so that a pipe or a
 * device cannot hold a turn; a link put in the place of a checked path, or of a part of it, is not followed.
 */

/** Files above this many bytes are refused. */
export const FILE_LIMIT = 4 * 1024 * 1024;

/** In which a NUL byte says that a file is no text, in bytes. */
const BEGINNING = 8192;

/** A file's text, or why it cannot be shown. */
export type TextFile = { readonly text: string } | { readonly refused: string };

/** Reads `path`, which must be resolved; `name` is what the refusals call it. At most `limit` bytes. Never rejects. */
export async function readText(path: string, name: string, limit = FILE_LIMIT): Promise<TextFile> {
  try {
    await using handle = await openHeld(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (stat.isDirectory()) return { refused: `"${name}" is a directory; use glob to see its files.` };
    if (!stat.isFile()) return { refused: `"${name}" is not a regular file.` };
    if (stat.size > limit) {
      const instead = limit > FILE_LIMIT ? '' : '; use grep on it';
      return { refused: `"${name}" is larger than ${limit / 1024 / 1024} MiB${instead}.` };
    }
    // What is no text is told by its beginning, and the rest of it, however much, is not read.
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(BEGINNING), position: 0 });
    if (buffer.subarray(0, bytesRead).includes(0)) return { refused: `"${name}" is not a text file.` };
    return { text: await handle.readFile('utf8') };
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
  const own = basename(path);
  try {
    await using parent = await openDirectory(dirname(path));
    const at = within(parent, dirname(path), own);
    const half = within(parent, dirname(path), `.${own}.${process.pid}.hearth-tmp`);
    const old = await lstat(at).catch(() => null);
    if (old !== null && !old.isFile()) return { refused: `"${name}" is not a regular file.` };
    try {
      await using handle = await open(half, 'wx', old === null ? 0o666 : old.mode & 0o777);
      await handle.writeFile(text);
      await handle.sync();
      await rename(half, at);
    } catch (error) {
      await rm(half, { force: true }).catch(() => undefined);
      throw error;
    }
    return { bytes, created: old === null };
  } catch {
    return { refused: `"${name}" cannot be written.` };
  }
}
