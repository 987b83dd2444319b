/**
 * A generation file: numbered lines, each with a sum, appended and never changed.
 *
 * - An append that has resolved is durable, and so is everything appended before it.
 * - Lines are on the disk in the order in which they were appended. While one sync is under way, further appends wait
 *   and are then written and synced together.
 * - After a failed write or sync the journal is broken: every waiting and later append rejects with the same
 *   `DiskError`, and nothing more is written until it is reopened.
 * - Opening accepts a whole last line that was never acknowledged, and makes it durable before anybody sees it; surely so
 *   where there is room for another file (docs/adr/0085).
 * - A file that can be read always opens. What could not be repaired on a disk that takes no writes leaves the journal
 *   broken, its lines readable.
 */
import { dirname } from 'node:path';
import type { ZodType } from 'zod';
import { writeAtomic } from './atomic-file.ts';
import type { AppendHandle, Disk, DiskError } from './disk.ts';
import { diskError, diskErrorFrom } from './disk-fault.ts';
import { encodeLine, type Numbered } from './journal-line.ts';
import { scanJournal } from './journal-scan.ts';

/** What the lines of a journal are, which number they begin with, and where damage goes. */
export interface JournalOptions<T extends Numbered> {
  readonly schema: ZodType<T>;
  /** The number before the first line's: the last commit of the snapshot that this file follows, 0 for none. */
  readonly after: number;
  /**
   * Puts damaged bytes where nobody loses them; `good` are the lines before them. Runs before they are cut; when it
   * rejects, they stay where they are.
   */
  quarantine(bytes: Uint8Array, good: readonly T[]): Promise<void>;
}

/** What was not torn but is wrong, up to the end of the file. */
export interface JournalDamage {
  /** The number that the first damaged line should have. */
  readonly from: number;
  readonly why: 'sum' | 'number' | 'shape';
  readonly bytes: Uint8Array;
}

/** A journal that was opened, the lines that hold, and what was cut from its file or is damaged. */
export interface OpenedJournal<T extends Numbered> {
  readonly journal: Journal<T>;
  readonly lines: readonly T[];
  /** Bytes of a torn last line that were cut; none of them was ever acknowledged. */
  readonly cut: number;
  readonly damaged: JournalDamage | null;
}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (failure: DiskError) => void;
}

/**
 * A journal of numbered lines; opened by `Journal.open`. `append` rejects with `DiskError`, and from then on every
 * other one does.
 */
export class Journal<T extends Numbered> {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #options: JournalOptions<T>;
  #handle: AppendHandle | null = null;
  #failure: DiskError | null = null;
  #closed = false;
  /** Whether the file's name is known to survive. */
  #named: boolean;
  /** Where the acknowledged lines end, if an append has failed and may have left something after it. */
  #acknowledged: number | null = null;
  /** Whether all that is acknowledged is on the disk, whatever became of the syncs of an earlier process. */
  readonly #sure: boolean;
  #last: number;
  #bytes: number;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | null = null;

  private constructor(disk: Disk, path: string, options: JournalOptions<T>, found: Found) {
    this.#disk = disk;
    this.#path = path;
    this.#options = options;
    this.#last = found.last;
    this.#bytes = found.bytes;
    this.#named = found.named;
    this.#failure = found.failure;
    // What could not be cut away now is cut at the next reopening.
    this.#acknowledged = found.acknowledged;
    this.#sure = found.sure;
  }

  /** Reads and repairs the file at `path`; a missing one is empty and is created by the first append. */
  static open<T extends Numbered>(
    disk: Disk,
    path: string,
    options: JournalOptions<T>,
  ): Promise<OpenedJournal<T>> {
    return Journal.#open(disk, path, options, { bytes: Number.POSITIVE_INFINITY, sure: false });
  }

  /**
   * Makes an empty file at `path`, where none is, and opens it. Its name survives once the directory was synced, which is
   * left to the caller, who does that for other reasons too.
   */
  static async create<T extends Numbered>(
    disk: Disk,
    path: string,
    options: JournalOptions<T>,
  ): Promise<Journal<T>> {
    // An empty file holds nothing open.
    await (await disk.append(path)).close();
    const found = {
      last: options.after,
      bytes: 0,
      named: true,
      failure: null,
      acknowledged: null,
      sure: true,
    };
    return new Journal(disk, path, options, found);
  }

  static async #open<T extends Numbered>(
    disk: Disk,
    path: string,
    options: JournalOptions<T>,
    known: Acknowledged,
  ): Promise<OpenedJournal<T>> {
    const whole = (await disk.read(path)) ?? new Uint8Array();
    const { bytes } = known;
    const { lines, good, fault } = scanJournal(whole.subarray(0, bytes), options.schema, options.after);
    const rest = whole.subarray(good, bytes);
    const last = options.after + lines.length;
    const damaged = fault === null || fault === 'torn' ? null : { from: last + 1, why: fault, bytes: rest };

    let failure: DiskError | null = null;
    let sure = whole.length === 0;
    // What could not be set aside is damage for the next reopening too.
    let keep = bytes;
    try {
      if (damaged) await options.quarantine(damaged.bytes, lines);
      keep = good;
      if (whole.length > 0) sure = await settled(disk, path, { whole, good, sure: known.sure });
    } catch (thrown) {
      failure = diskErrorFrom(thrown, path);
    }
    const found = {
      last,
      bytes: good,
      named: whole.length > 0,
      failure,
      acknowledged: failure === null ? null : keep,
      sure,
    };
    const journal = new Journal(disk, path, options, found);
    return { journal, lines, cut: fault === 'torn' ? rest.length : 0, damaged };
  }

  /** Bytes of all acknowledged lines. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of the last line handed in, acknowledged or not. */
  get last(): number {
    return this.#last;
  }

  /** Why no append is taken until the journal is reopened; `null` while all is well. */
  get failure(): DiskError | null {
    return this.#failure;
  }

  /** Resolves when `line` is durable. Its number must follow the last one. Rejects with `DiskError`. */
  append(line: T): Promise<void> {
    const refusal = this.#refusal(line);
    if (refusal) return Promise.reject(refusal);
    const bytes = encodeLine(line);
    this.#last = line.n;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /**
   * Closes this journal and opens the file again, without whatever its failed appends left there: to the callers of
   * those they failed, and a sync that failed once can never vouch for the same bytes again.
   */
  async reopen(): Promise<OpenedJournal<T>> {
    await this.close();
    const bytes = this.#acknowledged ?? Number.POSITIVE_INFINITY;
    return Journal.#open(this.#disk, this.#path, this.#options, { bytes, sure: this.#sure });
  }

  /** Waits for the appends under way and gives the file back. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await this.#release();
  }

  #refusal(line: T): Error | null {
    if (this.#failure) return this.#failure;
    if (this.#closed) return diskError('disk_failed', this.#path, 'the journal is closed');
    if (line.n === this.#last + 1) return null;
    return new RangeError(`Line ${line.n} cannot follow line ${this.#last} of the journal "${this.#path}".`);
  }

  async #drain(): Promise<void> {
    // Appends of the same moment travel together.
    await this.#disk.moment();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#commit(Buffer.concat(batch.map(entry => entry.bytes)));
      } catch (thrown) {
        await this.#break(diskErrorFrom(thrown, this.#path), batch);
        break;
      }
      for (const entry of batch) entry.resolve();
    }
    this.#draining = null;
  }

  async #commit(bytes: Uint8Array): Promise<void> {
    this.#handle ??= await this.#disk.append(this.#path);
    await this.#handle.write(bytes);
    await this.#handle.sync();
    if (!this.#named) await this.#disk.syncDirectory(dirname(this.#path));
    this.#named = true;
    this.#bytes += bytes.length;
  }

  async #break(failure: DiskError, batch: readonly Waiting[]): Promise<void> {
    this.#failure = failure;
    this.#acknowledged = this.#bytes;
    const rejected = [...batch, ...this.#waiting];
    this.#waiting = [];
    for (const entry of rejected) entry.reject(failure);
    await this.#release();
  }

  async #release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    // Everything acknowledged is synced already, so a failing close loses nothing.
    await handle?.close().catch(() => undefined);
  }
}

interface Found {
  readonly last: number;
  readonly bytes: number;
  readonly named: boolean;
  readonly failure: DiskError | null;
  readonly acknowledged: number | null;
  readonly sure: boolean;
}

/** How many of the file's first bytes hold what is acknowledged, and whether those are on the disk. */
interface Acknowledged {
  readonly bytes: number;
  readonly sure: boolean;
}

/**
 * Leaves the first `good` bytes in the file and makes them durable; resolves to whether that is sure. A sync that failed
 * in an earlier process is told to nobody again, and no later one writes what it was for: only as another file is what
 * was found sure to stay. A disk that has no room for that keeps the file.
 */
async function settled(
  disk: Disk,
  path: string,
  { whole, good, sure }: { readonly whole: Uint8Array; readonly good: number; readonly sure: boolean },
): Promise<boolean> {
  if (!sure) {
    try {
      await writeAtomic(disk, path, whole.subarray(0, good));
      return true;
    } catch (thrown) {
      if (diskErrorFrom(thrown, path).code !== 'disk_full') throw thrown;
    }
  }
  if (good < whole.length) await disk.truncate(path, good);
  await disk.syncFile(path);
  await disk.syncDirectory(dirname(path));
  return sure;
}
