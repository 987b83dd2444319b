import { crc32 } from 'node:zlib';
import { inflateSync } from 'fflate';
import type { ArchiveEntry } from './archive-entries.ts';
import { ArchiveError } from './archive-error.ts';

/*
 * The entries of a zip, from the directory at its end. It is read here because what an entry is, a file or a link, stands
 * only there; the content is unpacked when it is asked for, into exactly the size that the directory names.
 */

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/** The longest comment, which comes after the record that ends a zip. */
const MAX_COMMENT = 0xffff;
const ENCRYPTED = 1;
const UTF8 = 0x800;
/** File types in the upper half of Unix attributes. */
const TYPE_MASK = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;

const damaged = (what: string): ArchiveError => new ArchiveError('H204', `its zip data is damaged: ${what}`);

/** All entries; together they may hold at most `bound` bytes. Throws `ArchiveError`. */
export function zipEntries(bytes: Uint8Array, bound: number): readonly ArchiveEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return entriesIn(bytes, view, bound);
  } catch (error) {
    if (error instanceof RangeError) throw damaged('it is cut short');
    throw error;
  }
}

function entriesIn(bytes: Uint8Array, view: DataView, bound: number): readonly ArchiveEntry[] {
  const end = endOf(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) throw damaged('zips of more than 4 GiB are not read');
  const entries: ArchiveEntry[] = [];
  let total = 0;
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== ENTRY) throw damaged('its directory is broken');
    const nameLength = view.getUint16(at + 28, true);
    const size = view.getUint32(at + 24, true);
    total += size;
    if (total > bound) throw new ArchiveError('H207', 'its content is too large for what the archive weighs');
    entries.push(entryAt(bytes, view, at, nameLength));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function endOf(view: DataView): number {
  const last = view.byteLength - 22;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at -= 1) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw damaged('its directory is missing');
}

function entryAt(bytes: Uint8Array, view: DataView, at: number, nameLength: number): ArchiveEntry {
  const flags = view.getUint16(at + 8, true);
  const raw = bytes.subarray(at + 46, at + 46 + nameLength);
  const name = new TextDecoder(flags & UTF8 ? 'utf-8' : 'latin1').decode(raw);
  const type = (view.getUint32(at + 38, true) >>> 16) & TYPE_MASK;
  const directory = name.endsWith('/') || type === DIRECTORY;
  const kind = directory ? 'directory' : type === 0 || type === REGULAR ? 'file' : 'special';
  return { name, kind, read: () => contentOf(bytes, view, at, name, flags) };
}

function contentOf(bytes: Uint8Array, view: DataView, at: number, name: string, flags: number): Uint8Array {
  const method = view.getUint16(at + 10, true);
  const packed = view.getUint32(at + 20, true);
  const size = view.getUint32(at + 24, true);
  const local = view.getUint32(at + 42, true);
  if ((flags & ENCRYPTED) !== 0) throw damaged(`"${name}" is encrypted`);
  if (local + 30 > bytes.length || view.getUint32(local, true) !== LOCAL)
    throw damaged(`"${name}" is missing`);
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const data = bytes.subarray(start, start + packed);
  const content = method === 0 ? data : method === 8 ? inflated(data, size, name) : undefined;
  if (content === undefined) throw damaged(`"${name}" is packed in a way that is not known`);
  if (content.length !== size || crc32(content) !== view.getUint32(at + 16, true)) {
    throw damaged(`"${name}" is not what was packed`);
  }
  return content;
}

function inflated(data: Uint8Array, size: number, name: string): Uint8Array {
  try {
    return inflateSync(data, { out: new Uint8Array(size) });
  } catch {
    throw damaged(`"${name}" cannot be unpacked`);
  }
}
