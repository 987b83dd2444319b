/**
 * What is kept and what goes: pure, and the same for the same rows, so that a prediction is what a pass then does.
 *
 * - A protected row is never removed, and the bytes of protected rows are never charged to others.
 * - What a person made and what was dispatched are judged apart; neither pushes the other out.
 * - Nothing is removed that need not be: a second pass over what is left removes nothing.
 * - Rows of the same instant go in the order of their ids, which is the order in which they were made.
 */
import type { KeepReason, RemoveReason, RetentionLimits } from '@hearth/protocol/retention.ts';

/** What is judged. */
export interface RetentionRow {
  readonly id: string;
  readonly origin: 'person' | 'dispatch';
  /** The time of its last event, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly bytes: number;
}

/** What becomes of one row, and why; `within` says that the limits leave it room. */
export interface Choice<R extends RetentionRow> {
  readonly row: R;
  readonly remove: boolean;
  readonly reason: KeepReason | RemoveReason | 'within';
}

/** By how much rows that stay pass the limits. */
export interface Overage {
  readonly conversations: number;
  readonly bytes: number;
}

/** What becomes of all rows. */
export interface Verdict<R extends RetentionRow> {
  /** Those that go, in the order of their removal; then the others, the latest first. */
  readonly choices: readonly Choice<R>[];
  readonly overage: Overage;
}

/** A day, in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Protected for as long as a person likes, so they take nobody's place: with any number of them there is room for as
 * many others as the limit says. The default and what is at work count, since they are few or will be done.
 */
const PLACELESS: ReadonlySet<KeepReason> = new Set(['owing', 'pinned']);

const ORIGINS = ['person', 'dispatch'] as const;

/** `now` is `null` when the clock cannot be trusted; then no age is judged. `kept` says what is protected and why. */
export function choose<R extends RetentionRow>(
  rows: readonly R[],
  limits: RetentionLimits,
  now: number | null,
  kept: ReadonlyMap<string, KeepReason>,
): Verdict<R> {
  const verdicts = ORIGINS.map(origin =>
    chooseAmong(
      rows.filter(row => row.origin === origin),
      limits,
      now,
      kept,
    ),
  );
  const removed = verdicts.flatMap(verdict => verdict.removed);
  const gone = new Set(removed.map(choice => choice.row.id));
  const stay = rows
    .filter(row => !gone.has(row.id))
    .toSorted((a, b) => oldestFirst(b, a))
    .map(row => ({ row, remove: false, reason: kept.get(row.id) ?? ('within' as const) }));
  const sum = (of: keyof Overage): number =>
    verdicts.reduce((total, verdict) => total + verdict.overage[of], 0);
  return {
    choices: [...removed, ...stay],
    overage: { conversations: sum('conversations'), bytes: sum('bytes') },
  };
}

function chooseAmong<R extends RetentionRow>(
  rows: readonly R[],
  limits: RetentionLimits,
  now: number | null,
  kept: ReadonlyMap<string, KeepReason>,
): { readonly removed: readonly Choice<R>[]; readonly overage: Overage } {
  const removed: Choice<R>[] = [];
  let left = rows.filter(row => !kept.has(row.id)).toSorted(oldestFirst);
  const remove = (reason: RemoveReason, goes: (row: R) => boolean): void => {
    for (const row of left.filter(goes)) removed.push({ row, remove: true, reason });
    left = left.filter(row => !goes(row));
  };

  if (now !== null) remove('age', row => now - row.at > limits.days * DAY_MS);
  remove('too_large', row => row.bytes > limits.bytes);

  const places = rows.filter(row => {
    const reason = kept.get(row.id);
    return reason !== undefined && !PLACELESS.has(reason);
  }).length;
  const surplus = new Set(left.slice(0, Math.max(0, places + left.length - limits.conversations)));
  remove('count', row => surplus.has(row));

  let over = bytesOf(left) - limits.bytes;
  const heavy = new Set<R>();
  for (const row of left) {
    if (over <= 0) break;
    // One without any bytes makes no room.
    if (row.bytes === 0) continue;
    heavy.add(row);
    over -= row.bytes;
  }
  remove('bytes', row => heavy.has(row));

  const held = rows.filter(row => kept.has(row.id));
  return {
    removed,
    overage: {
      conversations: Math.max(0, held.length + left.length - limits.conversations),
      bytes: Math.max(0, bytesOf(held) - limits.bytes),
    },
  };
}

/** What becomes of the trash: the latest entry keeps its days, whatever its size. */
export function chooseTrash<R extends RetentionRow>(
  rows: readonly R[],
  limits: Pick<RetentionLimits, 'days' | 'bytes'>,
  now: number | null,
): readonly {
  readonly row: R;
  readonly remove: boolean;
  readonly reason: 'newest' | 'age' | 'bytes' | 'within';
}[] {
  const latest = rows.toSorted((a, b) => oldestFirst(b, a));
  let bytes = 0;
  return latest.map((row, index) => {
    if (now !== null && now - row.at > limits.days * DAY_MS) return { row, remove: true, reason: 'age' };
    if (index === 0) {
      bytes += row.bytes;
      return { row, remove: false, reason: 'newest' };
    }
    if (bytes + row.bytes > limits.bytes) return { row, remove: true, reason: 'bytes' };
    bytes += row.bytes;
    return { row, remove: false, reason: 'within' };
  });
}

function bytesOf(rows: readonly RetentionRow[]): number {
  return rows.reduce((sum, row) => sum + row.bytes, 0);
}

function oldestFirst(a: RetentionRow, b: RetentionRow): number {
  if (a.at !== b.at) return a.at - b.at;
  return a.id < b.id ? -1 : 1;
}
