/**
 * The real disk. Files are 0600 and directories 0700 whatever the umask, every rejection is a `DiskError`, and nothing
 * is durable before its sync has resolved. Files are opened, used and closed within one call; only an append handle
 * holds a descriptor.
 */
import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import {
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from './clock.ts';
import {
  type AppendHandle,
  type Disk,
  type DiskError,
  type DiskStat,
  type FileMark,
  type FileRead,
  NOTHING,
} from './disk.ts';
import { diskError, diskErrorFrom, linkError, systemCode } from './disk-fault.ts';

const FILE = 0o600;
const DIRECTORY = 0o700;
/** A link in the place of a file would have another file read, and served as ours. A pipe must not be waited for. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
/** A link in the place of a file would have another file written. */
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
const CUT = constants.O_WRONLY | constants.O_NOFOLLOW;
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
/** Files that are read in one go, without a turn of the event loop for each. */
const SLICE = 64;
/**
 * Milliseconds for which a file that changed has no mark: longer than the coarsest clock of a file system takes to move
 * on, so that a later change always leaves another time.
 */
const FRESH_MS = 3000;
const nowhere: ReadonlySet<string | null> = new Set(['ENOENT', 'ENOTDIR']);

export const nodeDisk: Disk = {
  read: path => attempt(path, () => unlessMissing(readFile(path, { flag: READ }), null)),
  readMany: paths => inSlices(paths, readNow),
  marksOf: paths => inSlices(paths, markNow),
  readRange: (path, offset, length) => use(path, READ, file => readRange(file, offset, length)),
  stat: path => attempt(path, () => unlessMissing(lstat(path).then(describe), null)),
  usage,
  list: path => attempt(path, () => unlessMissing(namesIn(path), [])),
  makeDirectory: path => attempt(path, () => makeDirectory(path)),
  write: (path, bytes) =>
    use(path, WRITE, async file => {
      await file.chmod(FILE);
      await writeAll(file, bytes);
    }),
  append: path =>
    attempt(path, async () => {
      const file = await open(path, APPEND, FILE);
      try {
        await file.chmod(FILE);
      } catch (thrown) {
        await file.close();
        throw thrown;
      }
      return new NodeAppendHandle(path, file);
    }),
  syncFile: path => use(path, READ, file => file.datasync()),
  syncDirectory: path => use(path, READ, file => file.sync()),
  rename: (from, to) => attempt(to, () => rename(from, to)),
  truncate: (path, length) => use(path, CUT, file => file.truncate(length)),
  remove: path => attempt(path, () => rm(path, { recursive: true, force: true })),
};

class NodeAppendHandle implements AppendHandle {
  readonly #path: string;
  readonly #file: FileHandle;
  #ended: DiskError | null = null;

  constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#ended) throw this.#ended;
    await attempt(this.#path, () => writeAll(this.#file, bytes));
  }

  async sync(): Promise<void> {
    if (this.#ended) throw this.#ended;
    try {
      await this.#file.datasync();
    } catch (thrown) {
      // The system forgets which pages it failed to write, so a second sync would report a success that is not one.
      this.#ended = diskErrorFrom(thrown, this.#path);
      throw this.#ended;
    }
  }

  async close(): Promise<void> {
    this.#ended ??= diskError('disk_failed', this.#path, 'the file is closed');
    await attempt(this.#path, () => this.#file.close());
  }
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw diskErrorFrom(thrown, path);
  }
}

function use<T>(path: string, flags: number, work: (file: FileHandle) => Promise<T>): Promise<T> {
  return attempt(path, async () => {
    const file = await open(path, flags, FILE);
    try {
      return await work(file);
    } finally {
      await file.close();
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
async function inSlices<T>(paths: readonly string[], work: (path: string) => T): Promise<readonly T[]> {
  const found: T[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % SLICE === SLICE - 1) await turn();
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

/** No program can set the time of a file's last change, and a file that replaces another is another inode. */
function markOf(found: Stats): FileMark {
  const { ino, size, mtimeMs, ctimeMs } = found;
  if (!found.isFile() || systemClock.now() - ctimeMs < FRESH_MS) return null;
  return `${ino}.${size}.${mtimeMs}.${ctimeMs}`;
}

async function usage(path: string): Promise<number> {
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

function describe(found: Awaited<ReturnType<typeof lstat>>): DiskStat {
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other';
  return { bytes: Number(found.size), kind };
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
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, DIRECTORY);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'ENOENT' && dirname(path) !== path) {
      await makeDirectory(dirname(path));
      await makeDirectory(path);
      return;
    }
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    throw thrown;
  }
  await chmod(path, DIRECTORY);
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
  }
}

async function readRange(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
