/**
 * A log that repeats what the journal says, kept in step with it.
 *
 * - Lines that were pushed can be read at once, in order, whether or not the file could take them.
 * - Nothing here is synced before `sync`, and few lines are not even written before it, so that whoever waits for a commit
 *   waits for the journal alone; a crash loses lines that the journal still has, and `refill` brings them back.
 * - A disk that takes no writes leaves the lines in memory; they are written as soon as it does again.
 */
import { AppendLog, type AppendLogOptions, type OpenedLog } from '@hearth/store/append-log.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { Serial } from '@hearth/store/serial.ts';

/** So many lines are written when they are pushed, without waiting for `sync`. */
const WORTH_WRITING = 64;

/** Lines that the journal does not have. */
export interface Stray<L> {
  /** The sequence number up to which the file and the journal agree. */
  readonly after: number;
  /** The highest one in the file. */
  readonly last: number;
  readonly lines: readonly L[];
}

/**
 * One file of lines `L`, with a header `H` where it has one. `push` never fails; `sync` rejects with what the disk
 * said.
 */
export class Projection<L, H = never> {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #options: AppendLogOptions<L, H>;
  readonly #serial = new Serial();
  #log: AppendLog<L, H>;
  /** What the file may lose in a crash, oldest first; bounded, since a snapshot syncs. */
  #unsynced: L[] = [];
  #closed = false;
  /** Nothing is written any more: the file holds what is nowhere else. */
  #asItIs = false;
  /** How many of the last of `#unsynced` the file does not hold yet. */
  #behind = 0;

  private constructor(disk: Disk, path: string, options: AppendLogOptions<L, H>, log: AppendLog<L, H>) {
    this.#disk = disk;
    this.#path = path;
    this.#options = options;
    this.#log = log;
  }

  /** Opens the file; `synced` of the options is the sequence number that the last snapshot vouches for. */
  static async open<L, H = never>(
    disk: Disk,
    path: string,
    options: AppendLogOptions<L, H>,
  ): Promise<{ projection: Projection<L, H>; opened: OpenedLog<L, H> }> {
    const opened = await AppendLog.open<L, H>(disk, path, options);
    return { projection: new Projection<L, H>(disk, path, options, opened.log), opened };
  }

  /** The last line's sequence number in the file. */
  get last(): number | null {
    return this.#log.last;
  }

  /** Bytes of the file's whole lines. */
  get bytes(): number {
    return this.#log.bytes;
  }

  /** What the file holds after `seq` and the journal does not; `null` when the file only lags behind `expected`. */
  stray(seq: number, expected: readonly L[]): Promise<Stray<L> | null> {
    return this.#serial.run(() => this.#stray(seq, expected));
  }

  /**
   * Makes what the file holds after `seq` be `expected`, all lines of the journal that belong there, oldest first. Those that
   * it has are written again: a sync of them may have failed, and then no later one vouches for them. Rejects with `DiskError`
   * when lines that the journal does not have cannot be cut, or are to be `kept` in the file; they are no longer shown then.
   */
  refill(seq: number, expected: readonly L[], kept = false): Promise<void> {
    return this.#serial.run(async () => {
      const stray = await this.#stray(seq, expected);
      this.#asItIs = kept && stray !== null;
      await (this.#asItIs ? this.#log.hideAfter(seq) : this.#log.cutAfter(seq));
      const { failure } = this.#log;
      this.#unsynced = [...expected];
      this.#behind = expected.length;
      await this.#flush();
      if (stray !== null && failure !== null) throw failure;
    });
  }

  /** Takes lines; they can be read by whoever asks after this returned, and are written together with others. */
  push(lines: readonly L[]): void {
    if (lines.length === 0) return;
    this.#unsynced.push(...lines);
    this.#behind += lines.length;
    if (this.#behind >= WORTH_WRITING) void this.#serial.run(() => this.#flush());
  }

  /** Makes every line durable. Rejects with `DiskError`; the lines are then still there to be read. */
  sync(): Promise<void> {
    return this.#serial.run(async () => {
      await this.#flush();
      if (this.#log.failure) throw this.#log.failure;
      await this.#log.sync();
      // Lines that were pushed meanwhile are not in what was synced.
      this.#unsynced = this.#held();
    });
  }

  /** Holds no file open until the next line. */
  rest(): Promise<void> {
    return this.#serial.run(() => this.#log.rest());
  }

  /** Replaces the whole file, durably, by the lines above `seq`; `null` keeps none of those pushed so far. */
  rewrite(header: H | null, seq: number | null): Promise<void> {
    return this.#serial.run(async () => {
      // Whoever opened the file after this would find another one than it knows.
      if (this.#closed)
        throw new DiskError('disk_failed', this.#path, `The file "${this.#path}" is closed; try again.`);
      const held = this.#held().filter(line => seq !== null && this.#options.seqOf(line) > seq);
      const known = this.#unsynced.length;
      try {
        await this.#log.rewrite(header, held, seq);
        this.#unsynced = this.#unsynced.slice(known);
        this.#behind = this.#unsynced.length;
        await this.#flush();
      } catch (thrown) {
        // The file is the old one or the new one, and only reading it tells which.
        await this.#reload();
        throw thrown;
      }
    });
  }

  /** The first `count` lines above `seq`, oldest first. */
  after(seq: number, count: number): Promise<L[]> {
    return this.#serial.run(async () => {
      const written = await this.#log.after(seq, count);
      const held = this.#held().filter(line => this.#options.seqOf(line) > seq);
      return [...written, ...held].slice(0, count);
    });
  }

  /** Every line of that number, oldest first. */
  at(seq: number): Promise<L[]> {
    return this.#serial.run(async () => {
      const held = this.#held().filter(line => this.#options.seqOf(line) === seq);
      return [...(await this.#log.at(seq)), ...held];
    });
  }

  /** The last `count` lines below `seq`, oldest first. */
  before(seq: number, count: number): Promise<L[]> {
    return this.#serial.run(async () => {
      const held = this.#held().filter(line => this.#options.seqOf(line) < seq);
      const rest = count - held.length;
      if (rest <= 0) return held.slice(-count);
      return [...(await this.#log.before(seq, rest)), ...held];
    });
  }

  /** Writes what it can and gives the file back. */
  close(): Promise<void> {
    return this.#serial.run(async () => {
      await this.#flush();
      this.#closed = true;
      await this.#log.close();
    });
  }

  async #stray(seq: number, expected: readonly L[]): Promise<Stray<L> | null> {
    const seqOf = (line: L): number => this.#options.seqOf(line);
    const found = await this.#log.after(seq, Number.POSITIVE_INFINITY);
    const at = found.findIndex((line, index) => JSON.stringify(line) !== JSON.stringify(expected[index]));
    const first = found[at];
    if (first === undefined) return null;
    const instead = expected[at];
    const from = instead === undefined ? seqOf(first) : Math.min(seqOf(first), seqOf(instead));
    const lines = found.filter(line => seqOf(line) >= from);
    return { after: from - 1, last: this.#log.last ?? from, lines };
  }

  #held(): L[] {
    return this.#behind === 0 ? [] : this.#unsynced.slice(-this.#behind);
  }

  /** Never rejects: what could not be written stays held and is tried again with the next lines. */
  async #flush(): Promise<void> {
    if (this.#asItIs || (this.#behind === 0 && this.#log.failure === null)) return;
    try {
      // What a failed sync was to vouch for is cut and written again: no later one could.
      if (this.#log.failure) await this.#reload();
      const lines = this.#held();
      await this.#log.append(lines);
      // Others may have been pushed meanwhile.
      this.#behind -= lines.length;
    } catch {
      // A failed append has left the log broken, which is what the next one finds.
    }
  }

  /** Reads the file again after a failure and counts what it has lost. */
  async #reload(): Promise<void> {
    const { log } = this.#log.failure
      ? await this.#log.reopen()
      : await AppendLog.open<L, H>(this.#disk, this.#path, this.#options);
    this.#log = log;
    const last = log.last ?? Number.NEGATIVE_INFINITY;
    this.#behind = this.#unsynced.filter(line => this.#options.seqOf(line) > last).length;
  }
}
