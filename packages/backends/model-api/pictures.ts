import type { AttachedFile } from '@hearth/engine/attached-files.ts';
import { HOST_LINE } from '@hearth/engine/host-line.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import type { Line, Picture } from './line.ts';

/*
 * Pictures that a person handed over, as parts of a request. The session names them; their bytes are read from their copies
 * when a request is made, and what cannot be shown is said in words in its place. A file is what its first bytes say: one
 * wrong picture would make every later request of the session fail.
 */

/** A larger picture is not sent, in bytes: encoded it is at the providers' limit of five million. */
const LARGEST = 3_750_000;
/** So many of the latest pictures are in a request, of so many bytes in all. */
const MOST = 20;
const ALL = 12_000_000;

/** A picture to be sent, or why it is not, as the end of a sentence. */
export type Shown = { readonly bytes: Uint8Array; readonly mime: string } | { readonly unseen: string };

/** What becomes of each picture of a request, by its path. */
export type ShownPictures = ReadonlyMap<string, Shown>;

/** Those of a person's files that are pictures. */
export function picturesOf(files: readonly AttachedFile[] = []): { readonly pictures?: Picture[] } {
  const pictures = files
    .filter(file => /^image\//i.test(file.mime))
    .map(({ path, name }) => ({ path, name }));
  return pictures.length === 0 ? {} : { pictures };
}

/** The pictures that lines name, the latest first. */
export function named(lines: readonly Line[]): readonly Picture[] {
  const all = lines.flatMap(line => (line.line === 'words' ? (line.pictures ?? []) : []));
  const latest = new Map(all.toReversed().map(picture => [picture.path, picture]));
  return [...latest.values()];
}

/**
 * Reads the pictures of the next request; `unseen` is why none may be sent, where that is so. What was read stays in `kept`
 * from one request to the next.
 */
export async function shownPictures(
  disk: Disk,
  lines: readonly Line[],
  unseen: string | null,
  kept: Map<string, Shown>,
): Promise<ShownPictures> {
  const shown = new Map<string, Shown>();
  let bytes = 0;
  for (const { path } of named(lines)) {
    const found = unseen === null ? (kept.get(path) ?? (await readFrom(disk, path))) : { unseen };
    const size = 'bytes' in found ? found.bytes.length : 0;
    const sent = [...shown.values()].filter(one => 'bytes' in one).length;
    if (size > 0 && (sent >= MOST || bytes + size > ALL)) {
      shown.set(path, { unseen: 'later pictures took all the room that there is' });
      continue;
    }
    if (unseen === null) kept.set(path, found);
    bytes += size;
    shown.set(path, found);
  }
  return shown;
}

async function readFrom(disk: Disk, path: string): Promise<Shown> {
  try {
    return await whatIsAt(disk, path);
  } catch (error) {
    if (error instanceof DiskError) return { unseen: 'its file cannot be read' };
    throw error;
  }
}

async function whatIsAt(disk: Disk, path: string): Promise<Shown> {
  const file = await disk.stat(path);
  if (file === null || file.kind !== 'file') return { unseen: 'its file is gone' };
  if (file.bytes > LARGEST) return { unseen: `it is larger than ${LARGEST / 1_000_000} MB` };
  const bytes = (await disk.read(path)) ?? new Uint8Array();
  const mime = mimeOf(bytes);
  return mime === null ? { unseen: 'it is no PNG, JPEG, GIF or WebP' } : { bytes, mime };
}

/** What a file's first bytes say that it is; `null`: no picture that models take. */
function mimeOf(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : null;
}

/** What stands in a request in the place of a picture that is not sent. */
export function unseenWords({ name }: Picture, why: string): string {
  return `${HOST_LINE}The picture ${name} is not shown to you: ${why}.`;
}
