import { constants, readdirSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Disk } from '@hearth/store/disk.ts';
import { ArchiveError, type ArchiveFault } from './archive-error.ts';
import { MAX_PACKED, unpackArchive } from './archive.ts';
import { keepUnpacked } from './bundle-slot.ts';

/*
 * What lies in a bundle, wherever it lies. A file counts only when it is a plain file whose real place is inside the
 * bundle: anything else (a link that leads out, a pipe, a device) is a fault, and is never opened for good.
 */

/** The bytes of a file, or why there are none. */
export type Read = { readonly bytes: Uint8Array } | { readonly fault: string };

/** A bundle's files by their paths in it, whether it is a directory or packed. */
export interface Contents {
  /** Paths of the sources inside the bundle, sorted. */
  readonly names: readonly string[];
  /** Paths of the recordings inside the bundle, sorted; they are no sources of the bot. */
  readonly recordings: readonly string[];
  /** Reads a file; null when there is none. `limit` is in bytes; one more is read, so that a reader can tell. */
  readonly read: (name: string, limit: number) => Promise<Read | null>;
  /** The absolute path at which the bundle's files lie; null for an archive that was only looked at. */
  readonly root: string | null;
}

/** An archive that was refused as a whole. */
export interface Refused {
  readonly refused: { readonly code: ArchiveFault; readonly why: string };
}

/** Where unpacked bundles are kept: a directory of the home. */
export interface Slots {
  readonly disk: Disk;
  readonly directory: string;
}

const SOURCE = /^(?:main\.bot|manifest\.yaml|(?:prompts|presets)\/[^/]+\.md|skills\/[^/]+\/SKILL\.md)$/;
const RECORDING = /^recordings\/[^/]+\.jsonl$/;

/** The contents of a single source. */
export function contentsOfFile(path: string, name: string): Contents {
  return { names: [name], recordings: [], read: (_, limit) => readPlain(path, limit), root: null };
}

/** The contents of a directory, by its real path. */
export function contentsOfDirectory(root: string): Contents {
  const top = namesIn(root);
  const within = (name: string): readonly string[] =>
    top.includes(name) ? namesIn(join(root, name)).map(one => join(name, one)) : [];
  const [prompts, presets, skills] = [within('prompts'), within('presets'), within('skills')];
  const recordings = within('recordings');
  const found = [...top, ...prompts, ...presets, ...skills.map(one => `${one}/SKILL.md`)];
  return {
    names: found.filter(name => SOURCE.test(name)).toSorted(byUnits),
    recordings: recordings.filter(name => RECORDING.test(name)).toSorted(byUnits),
    read: async (name, limit) => {
      const real = await realpath(join(root, name)).catch(() => null);
      if (real === null) return null;
      return real.startsWith(`${root}${sep}`)
        ? readPlain(real, limit)
        : { fault: 'leads out of the bundle: put the file itself there' };
    },
    root,
  };
}

/** At once, since every message asks whether the bundle is still the same: see `placeBundle`. */
function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** The contents of a packed bundle. With `slots` its files are kept there too, for whoever needs them on the disk. */
export async function contentsOfArchive(path: string, slots: Slots | null): Promise<Contents | Refused> {
  const read = await readPlain(path, MAX_PACKED);
  if (read === null) return { refused: { code: 'H204', why: 'it is not there any more' } };
  if ('fault' in read) return { refused: { code: 'H204', why: `it ${read.fault}` } };
  try {
    const { slot, files } = await unpackArchive(read.bytes);
    return {
      names: [...files.keys()].filter(name => SOURCE.test(name)),
      recordings: [...files.keys()].filter(name => RECORDING.test(name)).toSorted(byUnits),
      read: name => {
        const bytes = files.get(name);
        return Promise.resolve(bytes === undefined ? null : { bytes });
      },
      root: slots === null ? null : await keepUnpacked(slots, slot, files),
    };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { refused: { code: error.code, why: error.message } };
  }
}

/** Reads a plain file. It is opened without waiting, since opening a pipe would wait for its other end. */
async function readPlain(path: string, limit: number): Promise<Read | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(codeOf);
  if (file === 'ENOENT') return null;
  if (typeof file === 'string') return { fault: 'cannot be read: check its owner and mode' };
  try {
    const info = await file.stat();
    if (!info.isFile()) return { fault: 'is no plain file: put one there' };
    const buffer = Buffer.alloc(Math.min(info.size, limit) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) return { bytes: buffer.subarray(0, length) };
    }
  } finally {
    await file.close();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}
