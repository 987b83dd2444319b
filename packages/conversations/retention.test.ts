import type { KeepReason } from '@hearth/protocol/retention.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeClock, JUMP_MS } from './last-seen.ts';
import { choose, chooseTrash, DAY_MS, type RetentionRow } from './retention.ts';

const NOW = 1_000 * DAY_MS;
const limits = { conversations: 5, days: 30, bytes: 100 };

function row(id: string, days: number, bytes = 1, origin: RetentionRow['origin'] = 'person'): RetentionRow {
  return { id, origin, at: NOW - days * DAY_MS, bytes };
}

function removed(
  rows: readonly RetentionRow[],
  kept: Readonly<Record<string, KeepReason>> = {},
  now: number | null = NOW,
): string[] {
  const { choices } = choose(rows, limits, now, new Map(Object.entries(kept)));
  return choices.flatMap(choice => (choice.remove ? [`${choice.row.id} ${choice.reason}`] : []));
}

describe('a pass', () => {
  it.each<[string, RetentionRow[], Record<string, KeepReason>, string[]]>([
    ['keeps what is exactly as old as the limit', [row('a', 30)], {}, []],
    ['removes what is older', [row('a', 30.001), row('b', 1)], {}, ['a age']],
    ['keeps the default at any age', [row('a', 400)], { a: 'default' }, []],
    ['keeps what owes an answer at any age', [row('a', 400)], { a: 'owing' }, []],
    [
      'removes the oldest above the count, the default counted',
      [1, 2, 3, 4, 5, 6].map(n => row(`${n}`, n)),
      { 6: 'default' },
      ['5 count'],
    ],
    [
      'takes what is pinned or owes for nobody’s place',
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map(n => row(`${n}`, n)),
      { 6: 'pinned', 7: 'owing', 8: 'owing', 9: 'pinned' },
      [],
    ],
    [
      'removes the oldest until the bytes fit',
      [row('a', 3, 50), row('b', 2, 40), row('c', 1, 40)],
      {},
      ['a bytes'],
    ],
    [
      'leaves the others alone when a protected one passes the bound by itself',
      [row('big', 3, 5000), row('b', 2, 40), row('c', 1, 40)],
      { big: 'default' },
      [],
    ],
    [
      'removes one that alone passes the bound before smaller older ones',
      [row('a', 3, 50), row('big', 1, 101), row('c', 2, 40)],
      {},
      ['big too_large'],
    ],
    [
      'judges what was dispatched apart',
      [
        ...[1, 2, 3, 4, 5].map(n => row(`p${n}`, n, 15)),
        ...[1, 2, 3, 4, 5, 6].map(n => row(`d${n}`, n, 15, 'dispatch')),
      ],
      {},
      ['d6 count'],
    ],
    [
      'takes those of one instant in the order of their ids',
      [row('b', 3, 60), row('a', 3, 60)],
      {},
      ['a bytes'],
    ],
  ])('%s', (_name, rows, kept, expected) => {
    expect(removed(rows, kept)).toEqual(expected);
  });

  it('judges no age without a clock', () => {
    expect(removed([row('a', 400)], {}, null)).toEqual([]);
  });

  it('reports by how much protected ones pass the limits', () => {
    const rows = [1, 2, 3, 4, 5, 6].map(n => row(`${n}`, n, 30));
    const kept = new Map<string, KeepReason>(rows.map(({ id }) => [id, 'active']));
    expect(choose(rows, limits, NOW, kept).overage).toEqual({ conversations: 1, bytes: 80 });
  });
});

const anyRows = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 0, max: 60 }).map(String),
    origin: fc.constantFrom('person' as const, 'dispatch' as const),
    at: fc.integer({ min: 0, max: 60 }).map(days => NOW - days * DAY_MS),
    bytes: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 200 })),
  }),
  { selector: one => one.id, maxLength: 20 },
);
const anyKept = fc
  .dictionary(
    fc.integer({ min: 0, max: 60 }).map(String),
    fc.constantFrom<KeepReason>('default', 'active', 'owing', 'pinned', 'in_hand'),
  )
  .map(found => new Map(Object.entries(found)));

describe('any pass', () => {
  it('removes nothing protected, and nothing more the second time', () => {
    fc.assert(
      fc.property(anyRows, anyKept, (rows, kept) => {
        const { choices } = choose(rows, limits, NOW, kept);
        expect(choices.map(choice => choice.row.id).toSorted()).toEqual(rows.map(one => one.id).toSorted());
        const gone = choices.filter(choice => choice.remove);
        for (const choice of gone) expect(kept.has(choice.row.id)).toBe(false);
        const left = choices.filter(choice => !choice.remove).map(choice => choice.row);
        expect(choose(left, limits, NOW, kept).choices.filter(choice => choice.remove)).toEqual([]);
      }),
    );
  });

  it('holds the limits, or nothing is left that may go', () => {
    fc.assert(
      fc.property(anyRows, anyKept, (rows, kept) => {
        const { choices } = choose(rows, limits, NOW, kept);
        for (const origin of ['person', 'dispatch'] as const) {
          const stay = choices.filter(choice => !choice.remove && choice.row.origin === origin);
          const free = stay.filter(choice => !kept.has(choice.row.id));
          expect(free.reduce((sum, choice) => sum + choice.row.bytes, 0)).toBeLessThanOrEqual(limits.bytes);
          const counted = stay.filter(choice => !['owing', 'pinned'].includes(choice.reason));
          expect(free.length === 0 || counted.length <= limits.conversations).toBe(true);
          for (const choice of free) expect(NOW - choice.row.at).toBeLessThanOrEqual(limits.days * DAY_MS);
        }
      }),
    );
  });

  it('does not depend on the order of the rows, nor does one origin on the other', () => {
    fc.assert(
      fc.property(anyRows, anyKept, fc.infiniteStream(fc.integer()), (rows, kept, keys) => {
        const order = new Map(rows.map(one => [one.id, keys.next().value ?? 0]));
        const shuffled = rows.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
        expect(choose(shuffled, limits, NOW, kept)).toEqual(choose(rows, limits, NOW, kept));
        const persons = rows.filter(one => one.origin === 'person');
        const ofPersons = (all: readonly RetentionRow[]) =>
          choose(all, limits, NOW, kept).choices.filter(choice => choice.row.origin === 'person');
        expect(ofPersons(rows)).toEqual(ofPersons(persons));
      }),
    );
  });
});

describe('the trash', () => {
  const trashLimits = { days: 7, bytes: 100 };
  const gone = (rows: readonly RetentionRow[], now: number | null = NOW) =>
    chooseTrash(rows, trashLimits, now).flatMap(one => (one.remove ? [`${one.row.id} ${one.reason}`] : []));

  it('keeps the latest whatever its size, and of the others what fits', () => {
    expect(gone([row('a', 1, 500), row('b', 2, 10)])).toEqual(['b bytes']);
    expect(gone([row('a', 1, 60), row('b', 2, 50), row('c', 3, 40)])).toEqual(['b bytes']);
  });

  it('lets everything go after its days, unless the clock is in doubt', () => {
    expect(gone([row('a', 7), row('b', 7.5)])).toEqual(['b age']);
    expect(gone([row('b', 7.5)])).toEqual(['b age']);
    expect(gone([row('b', 7.5)], null)).toEqual([]);
  });
});

describe('the clock', () => {
  const seen = (at: number, doubtedUntil: number | null = null) => ({ at, doubtedUntil });
  it('is believed at first, and after a step that a machine may sleep', () => {
    expect(judgeClock(null, NOW, 0).doubt).toBeNull();
    expect(judgeClock(seen(NOW - JUMP_MS), NOW, 0)).toEqual({ seen: seen(NOW), doubt: null });
  });

  it('is in doubt for a day after a jump, and after going back', () => {
    const jumped = judgeClock(seen(NOW), NOW + 400 * DAY_MS, 0);
    expect(jumped.doubt).toContain('400 days ahead');
    const later = judgeClock(jumped.seen, NOW + 400.5 * DAY_MS, 0);
    expect(later.doubt).toContain('jumped lately');
    expect(judgeClock(later.seen, NOW + 401 * DAY_MS, 0).doubt).toBeNull();
    const back = judgeClock(later.seen, NOW, 0);
    expect(back.doubt).toContain('went back');
    expect(judgeClock(back.seen, NOW + 1, 0).doubt).toBeNull();
  });
});
