/** What opening an append log learns about its file, from its two ends only. */
import type { ZodType } from 'zod';
import type { Disk } from './disk.ts';
import { lastLineEnd, linesBefore, linesFrom, type RawLine } from './line-reader.ts';
import { checkedJson } from './schema.ts';

/** What the lines of an ordered log are. */
export interface LogFormat<L, H> {
  readonly line: ZodType<L>;
  /** The first line's, in a log that has a header. */
  readonly header?: ZodType<H>;
  /** What the lines are ordered by; it never falls from one line to the next. */
  seqOf(line: L): number;
}

const decoder = new TextDecoder();

/** Where the parts of a log lie; offsets are in bytes from the start of the file. */
export interface LogScan<H> {
  readonly header: H | null;
  /** Where the lines after the header start. */
  readonly start: number;
  /** Where the last line that may stay ends. */
  readonly good: number;
  /** Where the lines end that are known to be durable. */
  readonly durable: number;
  /** The last line's; `null` when there is none. */
  readonly last: number | null;
}

/**
 * Scans the first `size` bytes. Lines above `synced` may never have reached the disk in order, so each of them is read
 * and the log ends before the first that does not hold.
 */
export async function scanLog<L, H>(
  disk: Disk,
  path: string,
  size: number,
  format: LogFormat<L, H>,
  synced: number,
): Promise<LogScan<H>> {
  const { header, start } = await readHeader(disk, path, size, format);
  let good = await lastLineEnd(disk, path, start, size);
  const checkAll = synced !== Number.POSITIVE_INFINITY;
  let last: number | null = null;
  for await (const raw of linesBefore(disk, path, start, good)) {
    const line = readLine(raw, format);
    const seq = line === null ? null : format.seqOf(line);
    if (seq !== null && seq <= synced) {
      return { header, start, good, durable: checkAll ? raw.end : good, last: last ?? seq };
    }
    if (seq === null && checkAll) {
      good = raw.at;
      last = null;
    }
    if (seq !== null) last ??= seq;
  }
  return { header, start, good, durable: checkAll ? Math.min(start, good) : good, last };
}

/** The typed line, or `null` when it does not hold. */
export function readLine<L, H>(raw: RawLine, format: LogFormat<L, H>): L | null {
  const line = checkedJson(format.line, decoder.decode(raw.bytes));
  return line.ok ? line.value : null;
}

async function readHeader<L, H>(
  disk: Disk,
  path: string,
  size: number,
  format: LogFormat<L, H>,
): Promise<{ header: H | null; start: number }> {
  if (!format.header) return { header: null, start: 0 };
  for await (const first of linesFrom(disk, path, 0, size)) {
    const header = checkedJson(format.header, decoder.decode(first.bytes));
    return { header: header.ok ? header.value : null, start: first.end };
  }
  return { header: null, start: 0 };
}
