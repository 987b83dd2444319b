/**
 * The real disk. Files are 0600 and directories 0700 whatever the umask, every rejection is a `DiskError`, and nothing
 * is durable before its sync has resolved. Files are opened, used and closed within one call; only an append handle
 * holds a descriptor.
 *
 * What the system does in memory is done at once: the way through the thread pool takes several times as long as opening
 * a file, naming it, or handing over a few lines. Whatever waits for the disk goes that way: syncs, long writes, and
 * everything that is read in ranges.
 */
import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
} from 'node:fs';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from './clock.ts';
import { type Disk, type DiskError, type DiskStat, type FileMark, type FileRead, NOTHING } from './disk.ts';
import { diskError, diskErrorFrom, linkError, systemCode } from './disk-fault.ts';
import {
  attempt,
  dataSync,
  FILE,
  makePrivate,
  NodeAppendHandle,
  readRange,
  wholeSync,
  writeAll,
} from './node-file.ts';

const DIRECTORY = 0o700;
/** A link in the place of a file would have another file read, and served as ours. A pipe must not be waited for. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
/** A link in the place of a file would have another file written. */
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
const CUT = constants.O_WRONLY | constants.O_NOFOLLOW;
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
/** Files that are read in one go, without a turn of the event loop for each. */
const SLICE = 64;
/** Files that are only looked at in one go; for thousands of them the turns in between would take as long as the looks. */
const LOOKS = 256;
/**
 * Milliseconds for which a file that changed has no mark: longer than the coarsest clock of a file system takes to move
 * on, so that a later change always leaves another time.
 */
const FRESH_MS = 3000;
const nowhere: ReadonlySet<string | null> = new Set(['ENOENT', 'ENOTDIR']);

/** The disk of this machine. It has no state of its own: everything that uses it may share it. */
export const nodeDisk: Disk = {
  read: path => attempt(path, () => unlessMissing(readFile(path, { flag: READ }), null)),
  readMany: paths => inSlices(paths, SLICE, readNow),
  marksOf: paths => inSlices(paths, LOOKS, markNow),
  readRange: (path, offset, length) => use(path, READ, file => readRange(file, offset, length)),
  stat: path => attempt(path, () => statNow(path)),
  usage,
  list: path => attempt(path, () => unlessMissing(namesIn(path), [])),
  makeDirectory: path => attempt(path, () => makeDirectory(path)),
  write: (path, bytes) =>
    use(path, WRITE, async file => {
      makePrivate(file);
      await writeAll(file, bytes);
    }),
  append: path =>
    attempt(path, () => {
      const file = openSync(path, APPEND, FILE);
      try {
        makePrivate(file);
      } catch (thrown) {
        closeSync(file);
        throw thrown;
      }
      return new NodeAppendHandle(path, file);
    }),
  syncFile: path => use(path, READ, file => dataSync(file)),
  syncDirectory: path => use(path, READ, file => wholeSync(file)),
  rename: (from, to) => attempt(to, () => renameSync(from, to)),
  truncate: (path, length) => use(path, CUT, async file => ftruncateSync(file, length)),
  remove: path => attempt(path, () => remove(path)),
  moment: () => turn(),
};

function use<T>(path: string, flags: number, work: (file: number) => Promise<T>): Promise<T> {
  return attempt(path, async () => {
    const file = openSync(path, flags, FILE);
    try {
      return await work(file);
    } finally {
      closeSync(file);
    }
  });
}

async function unlessMissing<T, N>(work: Promise<T>, nothing: N): Promise<T | N> {
  try {
    return await work;
  } catch (thrown) {
    if (nowhere.has(systemCode(thrown))) return nothing;
    throw thrown;
  }
}

/** Other work goes on between the slices. */
async function inSlices<T>(
  paths: readonly string[],
  slice: number,
  work: (path: string) => T,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % slice === slice - 1) await turn();
    found.push(work(path));
  }
  return found;
}

/** For a small file the way through the thread pool costs more than the reading. */
function readNow(path: string): FileRead | DiskError | null {
  try {
    // Asking first is cheaper than the error of opening what is not there, which most journals are.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (found.isSymbolicLink()) return linkError(path);
    if (!found.isFile()) return diskError('disk_failed', path, 'it is not a file');
    const file = openSync(path, READ);
    try {
      return { bytes: readFileSync(file), mark: markOf(found) };
    } finally {
      closeSync(file);
    }
  } catch (thrown) {
    return nowhere.has(systemCode(thrown)) ? null : diskErrorFrom(thrown, path);
  }
}

function markNow(path: string): FileMark {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined ? NOTHING : markOf(found);
  } catch (thrown) {
    return nowhere.has(systemCode(thrown)) ? NOTHING : null;
  }
}

/**
 * No program can set the time of a file's last change, which whatever sets another time of it changes too, and a file that
 * replaces another is another inode.
 */
function markOf(found: Stats): FileMark {
  const { ino, size, ctimeMs } = found;
  if (!found.isFile() || systemClock.now() - ctimeMs < FRESH_MS) return null;
  return `${ino}.${size}.${ctimeMs}`;
}

/** Other work goes on between one path and the next, too: thousands of small ones may be asked for in a row. */
async function usage(path: string): Promise<number> {
  await turn();
  let bytes = 0;
  let seen = 0;
  const left = [path];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    const entries = entriesOf(at);
    if (entries === null) bytes += bytesOf(at);
    for (const entry of entries ?? []) {
      const inner = join(at, entry.name);
      if (entry.isDirectory()) left.push(inner);
      else bytes += bytesOf(inner);
      seen += 1;
      if (seen % SLICE === 0) await turn();
    }
  }
  return bytes;
}

/** What is in a directory; `null` when there is none that can be read. */
function entriesOf(path: string): Dirent[] | null {
  try {
    return lstatSync(path).isDirectory() ? readdirSync(path, { withFileTypes: true }) : null;
  } catch {
    return null;
  }
}

/** A file's size; whatever is no file, or went meanwhile, has none. */
function bytesOf(path: string): number {
  try {
    const found = lstatSync(path);
    return found.isFile() ? found.size : 0;
  } catch {
    return 0;
  }
}

function statNow(path: string): DiskStat | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other';
    return { bytes: found.size, kind };
  } catch (thrown) {
    if (nowhere.has(systemCode(thrown))) return null;
    throw thrown;
  }
}

/** A link in the place of a directory would have another's names told. */
async function namesIn(path: string): Promise<string[]> {
  if ((await lstat(path)).isSymbolicLink()) throw linkError(path);
  return sorted(await readdir(path));
}

/** By code unit, as `SimDisk` sorts, so that no order depends on the machine's language. */
function sorted(names: string[]): string[] {
  return names.sort();
}

/** One level at a time: a recursive `mkdir` cannot undo a umask that takes the owner's own rights away. */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path, DIRECTORY);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'ENOENT' && dirname(path) !== path) {
      makeDirectory(dirname(path));
      makeDirectory(path);
      return;
    }
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    throw thrown;
  }
  chmodSync(path, DIRECTORY);
}

/** A file is gone at once; a directory takes as long as there is in it. */
async function remove(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) await rm(path, { recursive: true, force: true });
  else unlinkNow(path);
}

/** Somebody else may have been faster. */
function unlinkNow(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (!nowhere.has(systemCode(thrown))) throw thrown;
  }
}
