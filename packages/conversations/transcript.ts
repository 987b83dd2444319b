/** `transcript.jsonl`: what was said and decided, never trimmed, read backwards by turns from any place in it. */
import { z } from 'zod';
import type { HistoryPage, TranscriptLine } from '@hearth/protocol/history.ts';
import type { LogDamage } from '@hearth/store/log-search.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { Projection, type Stray } from './projection.ts';

const Shape = z.looseObject({ is: z.string(), seq: z.int().nonnegative(), at: z.string() });
/** A line of the transcript, checked for what reading needs; the words themselves are taken as they stand. */
export const WordsLine = z.custom<TranscriptLine>(value => Shape.safeParse(value).success);

/** A page of one transcript. */
export type TranscriptPage = Pick<HistoryPage, 'items' | 'previous' | 'hasOlder'>;

/** Lines that are read at a time while turns are counted. */
const STRIDE = 64;

/** The open transcript of one epoch; a page of it is a number of turns. */
export class Transcript {
  readonly #file: Projection<TranscriptLine>;

  private constructor(file: Projection<TranscriptLine>) {
    this.#file = file;
  }

  /** `synced` is the sequence number of the last snapshot. */
  static async open(
    disk: Disk,
    path: string,
    synced: number,
    onDamage: (damage: LogDamage) => void,
  ): Promise<Transcript> {
    const options = { line: WordsLine, seqOf: (line: TranscriptLine) => line.seq, synced, onDamage };
    return new Transcript((await Projection.open<TranscriptLine>(disk, path, options)).projection);
  }

  /** That of an earlier epoch, as it is: nothing in it is mended, and it takes no lines. */
  static async archived(disk: Disk, path: string): Promise<Transcript> {
    const options = { line: WordsLine, seqOf: (line: TranscriptLine) => line.seq, asItIs: true };
    return new Transcript((await Projection.open<TranscriptLine>(disk, path, options)).projection);
  }

  /** The last line's sequence number; 0 when there is none. */
  get last(): number {
    return this.#file.last ?? 0;
  }

  /** Bytes of all lines in the file. */
  get bytes(): number {
    return this.#file.bytes;
  }

  /** What the file holds after the snapshot at `seq` and the journal does not. */
  stray(seq: number, words: readonly TranscriptLine[]): Promise<Stray<TranscriptLine> | null> {
    return this.#file.stray(seq, words);
  }

  /**
   * Makes `words`, all that the journal has, be what the file holds after the snapshot at `seq`. What it holds instead is cut,
   * or only hidden when it has to be `kept`.
   */
  refill(seq: number, words: readonly TranscriptLine[], kept = false): Promise<void> {
    return this.#file.refill(seq, words, kept);
  }

  push(words: readonly TranscriptLine[]): void {
    this.#file.push(words);
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** Holds no file open until the next line. */
  rest(): Promise<void> {
    return this.#file.rest();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /**
   * The last `turns` turns whose lines lie below `before`, oldest first; from the end when it is `null`. A page begins
   * with what was said, and lines of one commit are never parted.
   */
  async page(before: number | null, turns: number): Promise<TranscriptPage> {
    let end = before ?? Number.POSITIVE_INFINITY;
    let items: TranscriptLine[] = [];
    for (;;) {
      const lines = await this.#file.before(end, STRIDE);
      // A commit that has more lines than a stride is read whole.
      const block = lines.length < STRIDE ? lines : wholeCommits(lines);
      items = [...(block.length > 0 ? block : await this.#file.at(lines[0]?.seq ?? 0)), ...items];
      const start = startOf(items, turns);
      if (start !== null || lines.length < STRIDE) {
        const page = start === null ? items : items.slice(start);
        const first = page[0]?.seq ?? null;
        const older = first !== null && (await this.#file.before(first, 1)).length > 0;
        return { items: page, previous: older ? first : null, hasOlder: older };
      }
      end = items[0]?.seq ?? 0;
    }
  }
}

/** Leaves out the first commit's lines, since more of them may lie before. */
function wholeCommits(lines: readonly TranscriptLine[]): TranscriptLine[] {
  return lines.filter(line => line.seq !== lines[0]?.seq);
}

/** Where the page of the last `turns` turns begins; `null` when fewer are at hand. */
function startOf(lines: readonly TranscriptLine[], turns: number): number | null {
  let found = 0;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at];
    if (line?.is !== 'said') continue;
    found += 1;
    if (found < turns) continue;
    return lines.findIndex(other => other.seq === line.seq);
  }
  return null;
}
