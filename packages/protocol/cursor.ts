import { z } from 'zod';

/**
 * A position in a conversation's public log: `<epoch>.<seq>.<check>`. The check is the first six hex digits of the
 * SHA-256 of the event's line, so that a home restored from a backup is noticed. Ordered by (epoch, seq).
 */
export const Cursor = z
  .string()
  .regex(/^[1-9]\d{0,9}\.\d{1,15}\.[0-9a-f]{6}$/, 'a cursor looks like 1.42.a1b2c3');
export type Cursor = z.infer<typeof Cursor>;

/** The parts of a cursor. */
export interface Position {
  readonly epoch: number;
  readonly seq: number;
  readonly check: string;
}

/** The cursor before the first event of a conversation. */
export const CURSOR_ZERO: Cursor = '1.0.000000';

/** Splits a cursor; `null` when the text is none. */
export function parseCursor(text: string): Position | null {
  if (!Cursor.safeParse(text).success) return null;
  const [epoch = '', seq = '', check = ''] = text.split('.');
  return { epoch: Number(epoch), seq: Number(seq), check };
}

/** Joins the parts of a cursor. */
export function formatCursor(at: Position): Cursor {
  return `${at.epoch}.${at.seq}.${at.check}`;
}

/** Negative when `a` lies before `b`; the check takes no part. */
export function compareCursors(a: Position, b: Position): number {
  return a.epoch - b.epoch || a.seq - b.seq;
}
