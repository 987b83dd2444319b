/**
 * Reads lines of a file in blocks, from either end, without ever holding more than a block and one line. A line longer
 * than a block is read in ever larger ones, so that its length is copied a constant number of times. Offsets are in
 * bytes; a line's bytes come without its newline.
 */
import type { Disk } from './disk.ts';

/** A line of a file, unread. Offsets are in bytes from the start of the file. */
export interface RawLine {
  /** Where it starts. */
  readonly at: number;
  /** Where the next one starts. */
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** Bytes read at a time. */
export const BLOCK = 64 * 1024;
const NEWLINE = 10;

/**
 * Whole lines from `start`, oldest first; what follows the last newline before `end` is left out. `block` is how many
 * bytes are read at a time, for who needs but a line or two.
 */
export async function* linesFrom(
  disk: Disk,
  path: string,
  start: number,
  end: number,
  block: number = BLOCK,
): AsyncGenerator<RawLine> {
  let rest: Uint8Array = new Uint8Array();
  let at = start;
  for (let read = start; read < end; ) {
    const found = await disk.readRange(path, read, Math.min(Math.max(block, rest.length), end - read));
    if (found.length === 0) return;
    read += found.length;
    const bytes = rest.length === 0 ? found : Buffer.concat([rest, found]);
    // What was carried over holds no newline.
    let from = 0;
    for (let stop = bytes.indexOf(NEWLINE, rest.length); stop !== -1; stop = bytes.indexOf(NEWLINE, from)) {
      const next = at + (stop + 1 - from);
      yield { at, end: next, bytes: bytes.subarray(from, stop) };
      at = next;
      from = stop + 1;
    }
    rest = bytes.subarray(from);
  }
}

/** Whole lines that end at or before `end`, newest first, down to `start`, which must be the start of a line. */
export async function* linesBefore(
  disk: Disk,
  path: string,
  start: number,
  end: number,
  block: number = BLOCK,
): AsyncGenerator<RawLine> {
  // The bytes from `from` that were read and not yet given out; everything after the last newline is a torn line.
  let held: Uint8Array = new Uint8Array();
  let from = end;
  let lineEnd: number | null = null;
  while (from > start) {
    const size = Math.min(Math.max(block, held.length), from - start);
    const found = await disk.readRange(path, from - size, size);
    if (found.length < size) return;
    from -= size;
    held = held.length === 0 ? found : Buffer.concat([found, held]);
    let limit = size - 1;
    for (let stop = lastNewline(held, limit); stop !== -1; stop = lastNewline(held, limit)) {
      const boundary = from + stop + 1;
      if (lineEnd !== null)
        yield { at: boundary, end: lineEnd, bytes: held.subarray(stop + 1, lineEnd - 1 - from) };
      lineEnd = boundary;
      limit = stop - 1;
    }
    held = held.subarray(0, Math.max(0, (lineEnd ?? end) - from));
  }
  if (lineEnd !== null && lineEnd > start) {
    yield { at: start, end: lineEnd, bytes: held.subarray(0, lineEnd - 1 - start) };
  }
}

/** Where the last whole line that ends at or before `end` ends; `start` when there is none. */
export async function lastLineEnd(disk: Disk, path: string, start: number, end: number): Promise<number> {
  for (let from = end; from > start; ) {
    const size = Math.min(BLOCK, from - start);
    from -= size;
    const stop = (await disk.readRange(path, from, size)).lastIndexOf(NEWLINE);
    if (stop !== -1) return from + stop + 1;
  }
  return start;
}

/** `lastIndexOf` counts a negative start from the end, which is never meant here. */
function lastNewline(bytes: Uint8Array, limit: number): number {
  return limit < 0 ? -1 : bytes.lastIndexOf(NEWLINE, limit);
}
