import type { Entry, Line } from './line.ts';
import type { TreeFile } from './tree-file.ts';
import { pathTo } from './tree.ts';

/**
 * A session that is open: a leaf of its tree, and everything from the root to it. It leaves with the conversation, since
 * its file is in the directory that the turn gives, and what `append` has resolved for is durable, so a restart changes
 * nothing.
 */
export class Transcript {
  readonly session: string;
  readonly #file: TreeFile;
  readonly #left: () => Promise<void>;
  /** What is added next follows this entry, which may be on its way to the disk. */
  #leaf: number;
  /** The latest of its entries that is durable, and all that it follows. */
  #durable: number;
  #lines: readonly Entry[] | null = null;
  #closed = false;

  /** `left` is told when the session is closed. */
  constructor(file: TreeFile, session: string, leaf: number, left: () => Promise<void>) {
    this.#file = file;
    this.session = session;
    this.#leaf = leaf;
    this.#durable = leaf;
    this.#left = left;
  }

  /** Everything so far that is durable, oldest first. */
  get lines(): readonly Entry[] {
    return (this.#lines ??= pathTo(this.#file.entries, this.#durable));
  }

  /** The size of its tree's file in bytes, with all that is beside the session. */
  get bytes(): number {
    return this.#file.bytes;
  }

  /**
   * Adds lines to the session and makes them durable; several may be added at once. After a rejection (`DiskError`) the
   * transcript must not be used again.
   */
  async append(lines: readonly Line[]): Promise<void> {
    if (lines.length === 0) return;
    const { entries, durable } = this.#file.add(this.#leaf, lines);
    this.#leaf = entries.at(-1)?.id ?? this.#leaf;
    await durable;
    this.#durable = Math.max(this.#durable, entries.at(-1)?.id ?? 0);
    this.#lines = null;
  }

  /** What is added from here on follows an earlier entry of the session; what came after that stays in the file. */
  branch(at: number): void {
    this.#leaf = at;
    this.#durable = at;
    this.#lines = null;
  }

  /** A session of its own that shares all lines so far and copies none. Rejects with `DiskError`. */
  async fork(): Promise<Transcript> {
    const session = this.#file.forkName();
    const { entries, durable } = this.#file.add(this.#leaf, [{ line: 'session', session }]);
    await durable;
    return new Transcript(this.#file, session, entries.at(-1)?.id ?? this.#leaf, this.#left);
  }

  /** Gives the file back. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#left();
  }
}
