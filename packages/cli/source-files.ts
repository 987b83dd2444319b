import { open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { CommandError } from './command.ts';

/*
 * Sources on the disk. A source is replaced whole or not at all: whoever reads it meanwhile, or loses power, has the old
 * one or the new one, with the mode it had.
 */

const SOURCE = /\.(?:bot|iter)$/;

/** The sources at a path, sorted: the file itself, or every `.bot` and `.iter` file below the directory. */
export async function sourcesAt(path: string): Promise<readonly string[]> {
  const info = await stat(path).catch(() => null);
  if (info === null)
    throw refused('no_source', `There is nothing at ${path}: name a .bot file or a directory.`);
  if (info.isFile()) return [path];
  if (!info.isDirectory()) throw refused('no_source', `${path} is neither a file nor a directory: name one.`);
  const found = await sourcesBelow(path);
  if (found.length > 0) return found;
  throw refused('no_source', `There is no .bot file in ${path}: name another directory, or a file.`);
}

async function sourcesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (entry.isFile() && SOURCE.test(entry.name)) found.push(path);
    else if (entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
      found.push(...(await sourcesBelow(path)));
  }
  return found;
}

/** Reads a source. Rejects with a `CommandError` when it is no UTF-8 text. */
export async function readSourceFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null)
    throw refused('unreadable', `The file ${path} cannot be read: check its owner and mode.`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused('not_utf8', `The file ${path} is not UTF-8 text: save it as UTF-8.`);
  }
}

/** Replaces a file's text at once and keeps its mode; a link stays one. */
export async function replaceSource(path: string, text: string): Promise<void> {
  const target = await realpath(path);
  const { mode } = await stat(target);
  const temporary = join(dirname(target), `.hearth-fmt-${process.pid}.tmp`);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch {
    await rm(temporary, { force: true });
    throw refused(
      'not_written',
      `The file ${path} cannot be written: check the owner and mode of its directory.`,
    );
  }
}

function refused(code: string, message: string): CommandError {
  return new CommandError(EXIT.failed, code, message);
}
