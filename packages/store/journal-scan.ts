/** Reads the bytes of a journal: which lines hold, where they end, and what is wrong with the first that does not. */
import type { ZodType } from 'zod';
import { decodeLine, type Numbered } from './journal-line.ts';
import { checked } from './schema.ts';

/**
 * `torn`: an append that was cut short, so nobody was ever told of it. The others may have been acknowledged once.
 */
export type JournalFault = 'torn' | 'sum' | 'number' | 'shape';

/** What the bytes of a journal hold; `lines` are those before the first fault. */
export interface JournalScan<T> {
  readonly lines: readonly T[];
  /** Where the last line that holds ends. */
  readonly good: number;
  /** What is wrong from `good` on; `null` when the file ends there. */
  readonly fault: JournalFault | null;
}

const NEWLINE = 10;
/** JSON text never holds one; a page that was allotted and never written is full of them. */
const UNWRITTEN = 0;

/** Every line must hold and be numbered from `after` + 1 without a gap. */
export function scanJournal<T extends Numbered>(
  bytes: Uint8Array,
  schema: ZodType<T>,
  after: number,
): JournalScan<T> {
  const lines: T[] = [];
  let good = 0;
  while (good < bytes.length) {
    const end = bytes.indexOf(NEWLINE, good);
    if (end === -1) return { lines, good, fault: 'torn' };
    const raw = bytes.subarray(good, end);
    const line = readLine(raw, schema, after + lines.length + 1);
    if (typeof line === 'string') {
      const torn = end + 1 === bytes.length && raw.includes(UNWRITTEN);
      return { lines, good, fault: torn ? 'torn' : line };
    }
    lines.push(line);
    good = end + 1;
  }
  return { lines, good, fault: null };
}

function readLine<T extends Numbered>(raw: Uint8Array, schema: ZodType<T>, n: number): T | JournalFault {
  const value = decodeLine(raw);
  if (value === undefined) return 'sum';
  const line = checked(schema, value);
  if (!line.ok) return 'shape';
  return line.value.n === n ? line.value : 'number';
}
