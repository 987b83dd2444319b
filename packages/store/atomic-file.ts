/**
 * Whole files that are replaced at once. After a crash at any moment a file written with `writeAtomic` is the old one
 * or the new one, never a mixture and never empty; once `writeAtomic` has resolved it is the new one.
 */
import { basename, dirname, join } from 'node:path';
import type { ZodType } from 'zod';
import { type Disk, DiskError } from './disk.ts';
import { checkedJson } from './schema.ts';

/** A file that is there but does not hold what it must. The caller moves it to quarantine or stops. */
export class DamagedFile extends Error {
  readonly code = 'damaged_file';
  readonly path: string;
  /** A short phrase: what is wrong and where in the file. */
  readonly why: string;
  constructor(path: string, why: string) {
    super(`The file "${path}" is damaged (${why}); restore it from a copy or move it away.`);
    this.name = 'DamagedFile';
    this.path = path;
    this.why = why;
  }
}

/** The names that `writeAtomic` gives to files it has not yet renamed. */
const TEMP = /^\..+\.\d+-\d+\.tmp$/;
const encoder = new TextEncoder();
let made = 0;

/**
 * Replaces the file at `path`: a file of another name beside it, synced, renamed over it, the directory synced.
 * On a `DiskError` the file is the old one, or possibly the new one if the last sync failed.
 */
export async function writeAtomic(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  made += 1;
  const temp = join(dirname(path), `.${basename(path)}.${process.pid}-${made}.tmp`);
  try {
    await disk.write(temp, bytes);
    await disk.syncFile(temp);
    await disk.rename(temp, path);
  } catch (failure) {
    // The first failure is the one to tell; what cannot be removed now is swept when the directory is next opened.
    await disk.remove(temp).catch(() => undefined);
    throw failure;
  }
  await disk.syncDirectory(dirname(path));
}

/** `writeAtomic` of a value as one line of JSON. */
export function writeJson(disk: Disk, path: string, value: unknown): Promise<void> {
  return writeAtomic(disk, path, encoder.encode(`${JSON.stringify(value)}\n`));
}

/**
 * Reads a JSON file; `null` when there is none. Rejects with `DamagedFile`, also for a directory in its place, or with
 * `DiskError` when it cannot be read.
 */
export async function readJson<T>(disk: Disk, path: string, schema: ZodType<T>): Promise<T | null> {
  const bytes = await disk.read(path).catch((thrown: unknown) => inItsPlace(disk, path, thrown));
  if (bytes === null) return null;
  const result = checkedJson(schema, new TextDecoder().decode(bytes));
  if (!result.ok) throw new DamagedFile(path, result.why);
  return result.value;
}

/** Tells a directory in the place of a file, which no other attempt will read either, from a disk that failed. */
export async function inItsPlace(disk: Disk, path: string, failure: unknown): Promise<never> {
  if (failure instanceof DiskError && (await disk.stat(path))?.kind === 'directory')
    throw new DamagedFile(path, 'it is a directory');
  throw failure;
}

/** Removes what `writeAtomic` left behind in a directory when it was cut short; resolves to how many there were. */
export async function sweepTemps(disk: Disk, directory: string): Promise<number> {
  const temps = (await disk.list(directory)).filter(name => TEMP.test(name));
  for (const name of temps) await disk.remove(join(directory, name));
  return temps.length;
}
