/**
 * A file of JSON lines that repeats what a journal says, for reading: it may lag behind and is refilled from the
 * journal, but never holds a torn line, and its lines are in the order in which they were appended.
 *
 * - Appends are not durable before `sync` has resolved. Opening with `synced` reads every line above it and drops what
 *   a crash left unreadable; `last` then says from where to refill.
 * - Reading never needs more than a few blocks of the file, however long it is; whoever reads on from page to page
 *   needs no more than the page.
 * - Calls take effect in the order in which they were made.
 * - After a failed append or sync the log is broken: appends reject until it is reopened or rewritten. Reading goes on.
 */
import { dirname } from 'node:path';
import { writeAtomic } from './atomic-file.ts';
import type { AppendHandle, Disk, DiskError } from './disk.ts';
import { diskError, diskErrorFrom } from './disk-fault.ts';
import { linesFrom } from './line-reader.ts';
import { type LogScan, scanLog } from './log-scan.ts';
import { type Bounds, LogSearch, type LogSearchOptions } from './log-search.ts';
import { Serial } from './serial.ts';

/** What the lines of a log are, how they are ordered, and how far they may be trusted. */
export interface AppendLogOptions<L, H> extends LogSearchOptions<L, H> {
  /** The highest `seqOf` known to be durable, that of the last snapshot; left out, every whole line is taken as it is. */
  readonly synced?: number;
  /** The file is only read: what a crash tore stays, and is passed over. */
  readonly asItIs?: boolean;
}

/** A log that was opened, and what was found in its file. */
export interface OpenedLog<L, H> {
  readonly log: AppendLog<L, H>;
  /** `null` when there is no file, no header, or one that does not hold; the owner then rewrites the log. */
  readonly header: H | null;
  /** Bytes that were cut from the end. */
  readonly cut: number;
}

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();

/** A log of lines `L` with an optional header `H`; opened by `AppendLog.open`. Its calls reject with `DiskError`. */
export class AppendLog<L, H = never> {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #options: AppendLogOptions<L, H>;
  readonly #serial = new Serial();
  readonly #search: LogSearch<L, H>;
  #handle: AppendHandle | null = null;
  #failure: DiskError | null;
  #start: number;
  #end: number;
  /** Where the lines end that survive a failed sync. */
  #durable: number;
  #last: number | null;
  /** The file's name is durable, as far as this opening knows. */
  #named = false;
  /** Whether something may be in the file, or its name in the directory, that no sync has covered. */
  #unsynced: boolean;
  /** Where the file must end before it is appended to again, if something failed. */
  #keep = Number.POSITIVE_INFINITY;

  private constructor(
    disk: Disk,
    path: string,
    options: AppendLogOptions<L, H>,
    scan: LogScan<H>,
    failure: DiskError | null,
  ) {
    this.#disk = disk;
    this.#path = path;
    this.#options = options;
    this.#search = new LogSearch(disk, path, options);
    this.#failure = failure;
    this.#start = scan.start;
    this.#end = scan.good;
    this.#durable = scan.durable;
    this.#last = scan.last;
    this.#unsynced = scan.good > 0;
  }

  /** Opens the file at `path`, cutting what a crash tore; a missing one is empty and is created by the first append. */
  static open<L, H = never>(
    disk: Disk,
    path: string,
    options: AppendLogOptions<L, H>,
  ): Promise<OpenedLog<L, H>> {
    return AppendLog.#open(disk, path, options, Number.POSITIVE_INFINITY);
  }

  static async #open<L, H>(
    disk: Disk,
    path: string,
    options: AppendLogOptions<L, H>,
    keep: number,
  ): Promise<OpenedLog<L, H>> {
    const size = (await disk.stat(path))?.bytes ?? 0;
    const synced = options.synced ?? Number.POSITIVE_INFINITY;
    const scan = await scanLog(disk, path, Math.min(size, keep), options, synced);
    let failure: DiskError | null = null;
    try {
      if (scan.good < size && options.asItIs !== true) await disk.truncate(path, scan.good);
    } catch (thrown) {
      // What cannot be cut can still be read.
      failure = diskErrorFrom(thrown, path);
    }
    const log = new AppendLog(disk, path, options, scan, failure);
    if (failure !== null) log.#keep = scan.good;
    return { log, header: scan.header, cut: size - scan.good };
  }

  /** Size in bytes of the header and all whole lines. */
  get bytes(): number {
    return this.#end;
  }

  /** The last line's `seqOf`; `null` when there is no line. */
  get last(): number | null {
    return this.#last;
  }

  /** Why no append is taken until the log is reopened or rewritten; `null` while all is well. */
  get failure(): DiskError | null {
    return this.#failure;
  }

  /** Appends lines without syncing them. Rejects with `DiskError`. */
  append(lines: readonly L[]): Promise<void> {
    const bytes = encode(lines);
    return this.#serial.run(async () => {
      if (this.#failure) throw this.#failure;
      if (lines.length === 0) return;
      try {
        this.#handle ??= await this.#disk.append(this.#path);
        await this.#handle.write(bytes);
      } catch (thrown) {
        throw await this.#break(thrown, this.#end);
      }
      this.#unsynced = true;
      this.#end += bytes.length;
      this.#last = this.#seqOfLast(lines) ?? this.#last;
    });
  }

  /** Makes everything appended so far durable. Rejects with `DiskError`. */
  sync(): Promise<void> {
    return this.#serial.run(async () => {
      if (this.#failure) throw this.#failure;
      if (!this.#unsynced) return;
      try {
        await (this.#handle?.sync() ?? this.#disk.syncFile(this.#path));
        if (!this.#named) await this.#disk.syncDirectory(dirname(this.#path));
        this.#named = true;
      } catch (thrown) {
        throw await this.#break(thrown, this.#durable);
      }
      this.#durable = this.#end;
      this.#unsynced = false;
    });
  }

  /**
   * Replaces the whole file at once: a crash leaves the old log or the new one. Mends a broken log. The file's own lines
   * above `after` stay before `lines`, as the bytes they are; `null` leaves none, and -Infinity all that is there, what does
   * not hold included.
   */
  rewrite(header: H | null, lines: readonly L[], after: number | null = null): Promise<void> {
    const head = header === null ? NOTHING : encode([header]);
    const added = encode(lines);
    return this.#serial.run(async () => {
      const from = await this.#keptFrom(after);
      const kept =
        from < this.#end ? await this.#disk.readRange(this.#path, from, this.#end - from) : NOTHING;
      await this.#release();
      await writeAtomic(this.#disk, this.#path, Buffer.concat([head, kept, added]));
      this.#named = true;
      this.#failure = null;
      this.#keep = Number.POSITIVE_INFINITY;
      this.#start = head.length;
      this.#end = this.#durable = head.length + kept.length + added.length;
      this.#last = this.#seqOfLast(lines) ?? (kept.length > 0 ? this.#last : null);
      this.#unsynced = false;
      this.#search.clear();
    });
  }

  /** Shows the lines no more whose `seqOf` is above `seq`; they stay in the file, and the log is broken. */
  hideAfter(seq: number): Promise<void> {
    return this.#serial.run(async () => {
      const from = await this.#search.find(seq + 1, this.#bounds);
      if (from >= this.#end) return;
      await this.#endAt(from);
      await this.#break(
        diskError('disk_failed', this.#path, 'what it holds has to be set aside first'),
        from,
      );
    });
  }

  /**
   * Cuts the lines whose `seqOf` is above `seq` and resolves to their bytes; `null` when there are none. A disk that
   * takes no writes leaves them in the file: the log is then broken, and no longer shows them.
   */
  cutAfter(seq: number): Promise<Uint8Array | null> {
    return this.#serial.run(async () => {
      const from = await this.#search.find(seq + 1, this.#bounds);
      if (from >= this.#end) return null;
      const bytes = await this.#disk.readRange(this.#path, from, this.#end - from);
      await this.#endAt(from);
      await this.#release();
      try {
        await this.#disk.truncate(this.#path, from);
        await this.#disk.syncFile(this.#path);
      } catch (thrown) {
        await this.#break(thrown, from);
      }
      return bytes;
    });
  }

  /** The last `count` lines, oldest first. */
  tail(count: number): Promise<L[]> {
    return this.#serial.run(() => this.#search.back(this.#bounds, this.#end, count));
  }

  /** The last `count` lines whose `seqOf` is below `seq`, oldest first. */
  before(seq: number, count: number): Promise<L[]> {
    return this.#serial.run(async () =>
      this.#search.back(this.#bounds, await this.#search.find(seq, this.#bounds), count),
    );
  }

  /** The first `count` lines whose `seqOf` is above `seq`, oldest first. */
  after(seq: number, count: number): Promise<L[]> {
    return this.#serial.run(async () => {
      const from = await this.#search.find(seq + 1, this.#bounds);
      return this.#search.ahead(from, this.#end, count);
    });
  }

  /** Every line whose `seqOf` is `seq`, oldest first. */
  at(seq: number): Promise<L[]> {
    return this.#serial.run(async () => {
      const lines: L[] = [];
      for await (const raw of linesFrom(
        this.#disk,
        this.#path,
        await this.#search.find(seq, this.#bounds),
        this.#end,
      )) {
        const line = this.#search.read(raw);
        if (line === null) continue;
        if (this.#options.seqOf(line) !== seq) break;
        lines.push(line);
      }
      return lines;
    });
  }

  /** Visits every line, oldest first. The visitor must not wait for this log. */
  each(visit: (line: L) => void): Promise<void> {
    return this.#serial.run(async () => {
      for await (const raw of linesFrom(this.#disk, this.#path, this.#start, this.#end)) {
        const line = this.#search.read(raw);
        if (line !== null) visit(line);
      }
    });
  }

  /** Closes the log and opens the file again without what a failure made doubtful; `last` says from where to refill. */
  async reopen(): Promise<OpenedLog<L, H>> {
    await this.close();
    return AppendLog.#open(this.#disk, this.#path, this.#options, this.#keep);
  }

  /** Gives the file back until the next append: a log at rest holds nothing open. */
  rest(): Promise<void> {
    return this.#serial.run(() => this.#release());
  }

  /** Gives the file back, without syncing it. */
  close(): Promise<void> {
    return this.#serial.run(() => this.#release());
  }

  get #bounds(): Bounds {
    return { start: this.#start, end: this.#end, last: this.#last };
  }

  async #endAt(from: number): Promise<void> {
    this.#end = from;
    this.#durable = Math.min(this.#durable, from);
    this.#search.clear();
    const [last] = await this.#search.back(this.#bounds, from, 1);
    this.#last = last === undefined ? null : this.#options.seqOf(last);
  }

  #keptFrom(after: number | null): number | Promise<number> {
    if (after === null) return this.#end;
    if (after === Number.NEGATIVE_INFINITY) return this.#start;
    return this.#search.find(after + 1, this.#bounds);
  }

  #seqOfLast(lines: readonly L[]): number | null {
    const last = lines.at(-1);
    return last === undefined ? null : this.#options.seqOf(last);
  }

  /** `keep` is where the lines end that are still certain. */
  async #break(thrown: unknown, keep: number): Promise<DiskError> {
    this.#failure = diskErrorFrom(thrown, this.#path);
    this.#keep = keep;
    await this.#release();
    return this.#failure;
  }

  async #release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close().catch(() => undefined);
  }
}

function encode(lines: readonly unknown[]): Uint8Array {
  return encoder.encode(lines.map(line => `${JSON.stringify(line)}\n`).join(''));
}
