/**
 * Finding and reading lines in a file whose lines are in the order of their numbers. What was found narrows down what is
 * looked for next; a line that does not hold is passed over and told.
 */
import type { Disk } from './disk.ts';
import { BLOCK, linesBefore, linesFrom, type RawLine } from './line-reader.ts';
import { type LogFormat, readLine } from './log-scan.ts';
import { OffsetIndex } from './offset-index.ts';

/** A line that does not hold. It is passed over in reading and never thrown away by it. */
export interface LogDamage {
  readonly path: string;
  /** Where the line starts, in bytes. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** What the lines are, and who is told of one that does not hold. */
export interface LogSearchOptions<L, H> extends LogFormat<L, H> {
  /** Told of each line that a reader had to pass over because it does not hold. */
  onDamage?(damage: LogDamage): void;
}

/** Where the lines of the file are, and the number of the last one. */
export interface Bounds {
  readonly start: number;
  readonly end: number;
  readonly last: number | null;
}

/** Bytes that are read to find one line. */
const PROBE = 4 * 1024;

/** Reads an ordered log from any place in it, forwards or backwards, in bounded memory. It never writes. */
export class LogSearch<L, H = never> {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #options: LogSearchOptions<L, H>;
  readonly #index = new OffsetIndex();

  constructor(disk: Disk, path: string, options: LogSearchOptions<L, H>) {
    this.#disk = disk;
    this.#path = path;
    this.#options = options;
  }

  /** Forgets where lines were found: the file is another one. */
  clear(): void {
    this.#index.clear();
  }

  /** Up to `count` lines from a place on. */
  ahead(from: number, end: number, count: number): Promise<L[]> {
    return this.take(linesFrom(this.#disk, this.#path, from, end, blockOf(count)), count);
  }

  /** The last `count` lines that end at `end`, oldest first. */
  async back({ start }: Bounds, end: number, count: number): Promise<L[]> {
    const lines = await this.take(linesBefore(this.#disk, this.#path, start, end, blockOf(count)), count);
    return lines.reverse();
  }

  /** The first `count` of these lines that hold. */
  async take(raws: AsyncGenerator<RawLine>, count: number): Promise<L[]> {
    const lines: L[] = [];
    if (count <= 0) return lines;
    let before: Placed | null = null;
    for await (const raw of raws) {
      const line = this.read(raw);
      if (line === null) continue;
      const placed = { seq: this.#options.seqOf(line), at: raw.at };
      this.#remember(before, placed);
      // One line more than asked for is looked at: where it meets the page is where the next page begins.
      if (lines.length >= count) break;
      before = placed;
      lines.push(line);
    }
    return lines;
  }

  /** Of two neighbours the later one is the first of its number when the earlier one has a smaller. */
  #remember(one: Placed | null, other: Placed): void {
    if (one === null || one.seq === other.seq) return;
    const later = one.seq < other.seq ? other : one;
    this.#index.add(later.seq, later.at);
  }

  /** The line, or `null` when it does not hold, which is told. */
  read(raw: RawLine): L | null {
    const line = readLine(raw, this.#options);
    if (line === null) this.#options.onDamage?.({ path: this.#path, offset: raw.at, bytes: raw.bytes });
    return line;
  }

  /**
   * Where the first line whose `seqOf` is at least `seq` starts, or the end. What earlier reads found narrows it down;
   * then the file is halved until one block is left, since the order of its lines is index enough.
   */
  async find(seq: number, { start, end, last }: Bounds): Promise<number> {
    if (last === null || last < seq) return end;
    let { low, high } = this.#index.narrow(seq, { low: start, high: end });
    let found = high;
    // Whoever reads on asks for a line close behind one that is known.
    const near = low > start && low < high ? await this.#within(seq, low, Math.min(high, low + PROBE)) : null;
    if (near !== null) low = high = found = near;
    while (high - low > BLOCK) {
      const middle = low + Math.floor((high - low) / 2);
      const line = await this.#firstIn(middle, found);
      if (line === null) high = middle;
      else if (line.seq < seq) low = line.end;
      else {
        found = line.at;
        high = middle;
      }
    }
    found = (await this.#within(seq, low, found)) ?? found;
    if (found < end) this.#index.add(seq, found);
    return found;
  }

  /** Where the first line whose `seqOf` is at least `seq` starts among the whole ones from `low` to `high`. */
  async #within(seq: number, low: number, high: number): Promise<number | null> {
    for await (const raw of linesFrom(this.#disk, this.#path, low, high)) {
      const line = readLine(raw, this.#options);
      if (line !== null && this.#options.seqOf(line) >= seq) return raw.at;
    }
    return null;
  }

  /** The first line that holds among those that start after `from`. */
  async #firstIn(from: number, end: number): Promise<{ at: number; end: number; seq: number } | null> {
    let partial = true;
    for await (const raw of linesFrom(this.#disk, this.#path, from, end, PROBE)) {
      const line = partial ? null : readLine(raw, this.#options);
      partial = false;
      if (line !== null) return { at: raw.at, end: raw.end, seq: this.#options.seqOf(line) };
    }
    return null;
  }
}

interface Placed {
  readonly seq: number;
  readonly at: number;
}

/** A reader of a line or two needs no whole block. */
function blockOf(count: number): number {
  return count <= 2 ? PROBE : BLOCK;
}
