import { ArchiveError } from './archive-error.ts';

/* Which entries of an archive may become files. One that may not refuses the archive as a whole. */

/** An entry as an archive tells of it, before anything of it is trusted. */
export interface ArchiveEntry {
  /** As it stands in the archive. */
  readonly name: string;
  /** `special`: a link, a device, or anything else that is neither a file nor a directory. */
  readonly kind: 'file' | 'directory' | 'special';
  /** Its content. May throw `ArchiveError`. */
  readonly read: () => Uint8Array;
}

/** The most entries of an archive. */
export const MAX_ENTRIES = 4096;
/** The longest path, in UTF-16 units, and the longest way down. */
const MAX_PATH = 512;
const MAX_DEPTH = 16;

/** The files of an archive by their clean path, sorted. Throws `ArchiveError`. */
export function safeFiles(entries: readonly ArchiveEntry[]): ReadonlyMap<string, Uint8Array> {
  if (entries.length > MAX_ENTRIES) {
    throw new ArchiveError('H207', `it has more than ${MAX_ENTRIES} entries`);
  }
  const named = entries.map(entry => ({ entry, path: safePath(entry) }));
  refuseClashes(named.filter(({ entry }) => entry.kind === 'file').map(({ path }) => path));
  return new Map(
    named
      .filter(({ entry }) => entry.kind === 'file')
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ entry, path }) => [path, entry.read()]),
  );
}

function safePath({ name, kind }: ArchiveEntry): string {
  const refuse = (why: string): ArchiveError =>
    new ArchiveError('H205', `its entry ${JSON.stringify(name.slice(0, 100))} ${why}`);
  if (kind === 'special') throw refuse('is a link or a device');
  if (/\p{Cc}/u.test(name)) throw refuse('has a control character in its name');
  if (name.includes('\\')) throw refuse('has a backslash in its name');
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) throw refuse('has an absolute path');
  if (name.length > MAX_PATH) throw refuse('has too long a path');
  const parts = name.split('/').filter(part => part !== '' && part !== '.');
  if (parts.includes('..')) throw refuse('leads out of the bundle');
  if (parts.length > MAX_DEPTH) throw refuse('lies too deep');
  if (parts.length === 0 && kind === 'file') throw refuse('has no name');
  return parts.join('/');
}

/** Two files of one name would overwrite each other, on some disks also when only their case differs. */
function refuseClashes(paths: readonly string[]): void {
  const folded = (path: string): string => path.normalize('NFC').toLowerCase();
  const known = new Map<string, string>();
  for (const path of paths) {
    const other = known.get(folded(path));
    if (other === path) throw new ArchiveError('H206', `it has the file "${path}" twice`);
    if (other !== undefined) {
      throw new ArchiveError(
        'H206',
        `its files "${other}" and "${path}" differ only in how they are written`,
      );
    }
    known.set(folded(path), path);
  }
  for (const path of paths) {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const file = known.get(folded(path.slice(0, slash)));
      if (file !== undefined) {
        throw new ArchiveError('H206', `its entry "${file}" is a file and also the directory of "${path}"`);
      }
    }
  }
}
