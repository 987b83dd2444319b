import { dirname } from 'node:path/posix';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import type { AppendHandle, Disk } from '@hearth/store/disk.ts';
import type { Entry, Line } from './line.ts';
import { added, headed, leavesOf, treeIn } from './tree.ts';

/** A larger file is not read at all, in bytes. */
const LARGEST = 256 * 1024 * 1024;

/**
 * The file of one tree, which several sessions may write to at once. What `append` has resolved for is durable; entries
 * become durable in the order of their numbers. After a `DiskError` nothing more is taken.
 */
export class TreeFile {
  readonly tree: string;
  readonly #disk: Disk;
  readonly #path: string;
  readonly #entries: Entry[];
  #bytes: number;
  #next: number;
  #waiting: Entry[] = [];
  #flush: Promise<void> | null = null;
  #handle: AppendHandle | null = null;
  #forks: number;
  #broken: unknown = null;

  private constructor(disk: Disk, path: string, tree: string, entries: readonly Entry[], bytes: number) {
    this.#disk = disk;
    this.#path = path;
    this.tree = tree;
    this.#entries = [...entries];
    this.#next = entries.length;
    this.#bytes = bytes;
    this.#forks = entries.filter(entry => entry.line === 'session').length;
  }

  /**
   * Opens a file; `null` when there is none, it is damaged, or too large. A torn last line is cut; a file of the format
   * before this one is written anew as a tree, once. Rejects with `DiskError`.
   */
  static async open(disk: Disk, path: string): Promise<TreeFile | null> {
    const found = await disk.stat(path);
    if (found === null || found.kind !== 'file' || found.bytes > LARGEST) return null;
    const bytes = await disk.read(path);
    const read = bytes === null ? null : treeIn(bytes);
    if (bytes === null || read === null) return null;
    if (read.old) return await TreeFile.#made(disk, path, read.tree, read.entries);
    if (read.whole < bytes.length) await disk.truncate(path, read.whole);
    return new TreeFile(disk, path, read.tree, read.entries, read.whole);
  }

  /** Makes a file whose root begins a session of the tree's name; a crash leaves all of it or nothing. */
  static async create(disk: Disk, path: string, tree: string, lines: readonly Line[]): Promise<TreeFile> {
    const all: readonly Line[] = [{ line: 'session', session: tree }, ...lines];
    await disk.makeDirectory(dirname(path));
    return await TreeFile.#made(disk, path, tree, placed(all, 0, null));
  }

  static async #made(disk: Disk, path: string, tree: string, entries: readonly Entry[]): Promise<TreeFile> {
    const bytes = headed(tree, entries);
    await writeAtomic(disk, path, bytes);
    return new TreeFile(disk, path, tree, entries, bytes.length);
  }

  /** Everything durable, in the order of its numbers. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The file's size in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether nothing more can be written; it has to be opened anew. */
  get broken(): boolean {
    return this.#broken !== null;
  }

  /** The latest durable entry of a session; `null` when the tree has no such session. */
  leafOf(session: string): number | null {
    return leavesOf(this.#entries).get(session) ?? null;
  }

  /** A name for a session that is forked. */
  forkName(): string {
    const name = `${this.tree}.${this.#forks}`;
    this.#forks += 1;
    return name;
  }

  /** Adds lines, the first of them below `parent` and each other below the one before it. Rejects with `DiskError`. */
  add(parent: number, lines: readonly Line[]): { entries: readonly Entry[]; durable: Promise<void> } {
    if (this.#broken !== null) return { entries: [], durable: Promise.reject(this.#broken) };
    const entries = placed(lines, this.#next, parent);
    this.#next += entries.length;
    this.#waiting.push(...entries);
    // What is added while a write is under way goes with the next one.
    this.#flush ??= this.#written();
    return { entries, durable: this.#until(entries.at(-1)?.id ?? -1) };
  }

  async #until(id: number): Promise<void> {
    while (this.#entries.length <= id) {
      if (this.#broken !== null) throw this.#broken;
      await this.#flush;
    }
  }

  async #written(): Promise<void> {
    await Promise.resolve();
    // A disk that takes secrets out writes fewer bytes than it is given, or more.
    let end: number | undefined;
    try {
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.splice(0);
        const bytes = added(batch);
        end = (await this.#disk.stat(this.#path))?.bytes;
        this.#handle ??= await this.#disk.append(this.#path);
        await this.#handle.write(bytes);
        await this.#handle.sync();
        this.#bytes += bytes.length;
        this.#entries.push(...batch);
        end = undefined;
      }
    } catch (thrown) {
      // No later sync writes what a failed one was for, and what is appended behind it would be lost with it. Nobody opens
      // the file anew before that is cut.
      if (end !== undefined) await this.#disk.truncate(this.#path, end).catch(() => undefined);
      this.#broken = thrown;
    } finally {
      this.#flush = null;
    }
  }

  /** Gives the file back. */
  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close().catch(() => undefined);
  }
}

function placed(lines: readonly Line[], first: number, parent: number | null): Entry[] {
  return lines.map((line, at) => ({ id: first + at, parent: at === 0 ? parent : first + at - 1, ...line }));
}
