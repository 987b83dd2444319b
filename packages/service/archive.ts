import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { sha256 } from '@hearth/store/digest.ts';
import { unpackTar } from 'modern-tar';
import { ArchiveError } from './archive-error.ts';
import { type ArchiveEntry, safeFiles } from './archive-entries.ts';
import { zipEntries } from './zip.ts';

/*
 * Packed bundles: a tar packed with gzip, or a zip, told apart by their bytes. All of an archive is unpacked in memory,
 * within bounds, and judged as a whole before anything of it is used.
 */

/** The largest archive, packed and unpacked, in bytes. */
export const MAX_PACKED = 32 * 1024 * 1024;
/** The same once unpacked, all files together. */
export const MAX_UNPACKED = 128 * 1024 * 1024;
/** How many times larger than its archive the content may be, once it is larger than `FREE`. */
const MAX_RATIO = 200;
const FREE = 1024 * 1024;

/** What an archive held. Equal contents of a tar have the same slot, however they were compressed. */
export interface Unpacked {
  /** The name of its place in the cache: the first 16 hexadecimal digits of the SHA-256 of the tar, or of the zip. */
  readonly slot: string;
  /** The files by their path inside, sorted. Directories have no entry of their own. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const unzipped = promisify(gunzip);

/** Unpacks an archive. Rejects with `ArchiveError`. */
export async function unpackArchive(bytes: Uint8Array): Promise<Unpacked> {
  if (bytes.length > MAX_PACKED) {
    throw new ArchiveError('H207', `it is larger than ${inMiB(MAX_PACKED)}`);
  }
  const bound = Math.min(MAX_UNPACKED, Math.max(FREE, bytes.length * MAX_RATIO));
  if (begins(bytes, 0x1f, 0x8b)) {
    const tar = await gunzipWithin(bytes, bound);
    return { slot: slotOf(tar), files: safeFiles(await tarEntries(tar)) };
  }
  if (begins(bytes, 0x50, 0x4b)) return { slot: slotOf(bytes), files: safeFiles(zipEntries(bytes, bound)) };
  throw new ArchiveError('H204', 'it is neither a tar packed with gzip nor a zip');
}

function begins(bytes: Uint8Array, ...start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

function slotOf(bytes: Uint8Array): string {
  return sha256(bytes).slice('sha256:'.length, 'sha256:'.length + 16);
}

async function gunzipWithin(bytes: Uint8Array, bound: number): Promise<Uint8Array> {
  try {
    return await unzipped(bytes, { maxOutputLength: bound });
  } catch (error) {
    const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw tooLarge
      ? new ArchiveError('H207', `its content is larger than ${inMiB(bound)}`)
      : new ArchiveError('H204', 'its gzip data is damaged');
  }
}

async function tarEntries(tar: Uint8Array): Promise<readonly ArchiveEntry[]> {
  const entries = await unpackTar(tar, { strict: true }).catch(() => {
    throw new ArchiveError('H204', 'its tar data is damaged or cut short');
  });
  return entries.map(({ header, data }) => ({
    name: header.name,
    kind: header.type === 'directory' ? 'directory' : (header.type ?? 'file') === 'file' ? 'file' : 'special',
    read: () => data ?? new Uint8Array(),
  }));
}

function inMiB(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}
