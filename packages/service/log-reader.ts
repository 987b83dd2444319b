import { open, type FileHandle } from 'node:fs/promises';
import { logPath } from './log.ts';

/*
 * Reads the service's log from outside. Guarantees that nothing is shown twice and nothing left out while the log grows
 * and is moved away, as long as somebody looks at least once for each mebibyte.
 */

const NEWLINE = 10;

/** A file as it was last seen. */
interface Seen {
  readonly inode: number;
  /** Up to where whole lines were read. */
  readonly offset: number;
}

/** Reads the log of one home; each call gives what came since the last one. */
export class LogReader {
  readonly #path: string;
  #seen: Seen | null = null;

  constructor(home: string) {
    this.#path = logPath(home);
  }

  /** The last lines, at most `count`; `null` when there is no log. */
  async last(count: number): Promise<readonly string[] | null> {
    const [earlier, present] = [await lines(`${this.#path}.1`), await lines(this.#path)];
    this.#seen = present;
    if (earlier === null && present === null) return null;
    const all = [...(earlier?.lines ?? []), ...(present?.lines ?? [])];
    return count === 0 ? [] : all.slice(-count);
  }

  /** What was written since. */
  async more(): Promise<readonly string[]> {
    const seen = this.#seen;
    const present = await lines(this.#path, seen);
    if (present === null) return [];
    this.#seen = present;
    if (seen === null || present.inode === seen.inode) return present.lines;
    // It was moved away meanwhile; what it got before that comes first.
    const moved = await lines(`${this.#path}.1`, seen);
    return [...(moved?.inode === seen.inode ? moved.lines : []), ...present.lines];
  }
}

/** The whole lines of a file, from where it was seen if it is that one; `null` when there is none. */
async function lines(
  path: string,
  seen: Seen | null = null,
): Promise<(Seen & { readonly lines: readonly string[] }) | null> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    const { ino, size } = await file.stat();
    const start = seen?.inode === ino && seen.offset <= size ? seen.offset : 0;
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    const end = bytes.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1;
    const text = bytes.toString('utf8', 0, end);
    return { inode: ino, offset: start + end, lines: text === '' ? [] : text.slice(0, -1).split('\n') };
  } finally {
    await file.close();
  }
}
