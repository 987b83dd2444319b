import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isDue, nextTry } from './patience.ts';

const at = '2026-01-01T00:00:00.000Z';

it('is due at its moment, and also when a clock that was put back would have it far ahead', () => {
  const { retryAt, waitMs } = nextTry('network', at, { network: 5 })!;
  const moved = (ms: number): string => new Date(Date.parse(retryAt) + ms).toISOString();
  expect([isDue(retryAt, moved(-waitMs)), isDue(retryAt, moved(-1))]).toEqual([false, false]);
  expect([isDue(retryAt, retryAt), isDue(retryAt, moved(1))]).toEqual([true, true]);
  expect(isDue(retryAt, moved(-3_600_000))).toBe(true);
});

/** The waits in milliseconds, until nothing is tried again. */
function waits(code: string, retryAfterMs?: number): number[] {
  const found: number[] = [];
  for (let tries = {}; ; ) {
    const next = nextTry(code, at, tries, retryAfterMs);
    if (next === null || found.length > 20) return found;
    expect(Date.parse(next.retryAt) - Date.parse(at)).toBe(next.waitMs);
    found.push(next.waitMs);
    ({ tries } = next);
  }
}

test.each([
  ['quota', [4000, 8000, 16_000]],
  ['overloaded', [4000, 8000, 16_000]],
  ['network', [5000, 10_000, 20_000, 40_000, 60_000, 60_000]],
  ['context_length', [0, 0]],
  ['TOOL_FAILED_TRANSIENT', [2000, 4000]],
  ['auth', []],
  ['schema', []],
  ['SCHEMA_VALIDATION', []],
  ['missing', []],
  ['session_lost', []],
  ['crashed', []],
  ['toString', []],
])('%s is waited out %j', (code, expected) => {
  const found = waits(code);
  expect(found).toHaveLength(expected.length);
  found.forEach((wait, index) => {
    expect(wait).toBeGreaterThanOrEqual((expected[index] ?? 0) * 0.75);
    expect(wait).toBeLessThanOrEqual((expected[index] ?? 0) * 1.25);
  });
});

describe('a provider that says how long', () => {
  it('is waited for', () => expect(waits('quota', 45_000)).toEqual([45_000, 45_000, 45_000]));
  it('is left to a person when that is long', () => expect(waits('quota', 61_000)).toEqual([]));
});

test('what failed at different moments does not come back together, and never too early', () => {
  const moments = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true });
  fc.assert(
    fc.property(moments, moment => {
      const wait = nextTry('quota', moment.toISOString())?.waitMs ?? 0;
      expect(wait).toBeGreaterThanOrEqual(3000);
      expect(wait).toBeLessThanOrEqual(5000);
    }),
  );
  const spread = new Set(
    Array.from({ length: 50 }, (_, n) => nextTry('quota', new Date(1e12 + n).toISOString())?.waitMs),
  );
  expect(spread.size).toBeGreaterThan(40);
});

test('each failure is counted for itself', () => {
  const tries = nextTry('quota', at, { network: 6 })?.tries;
  expect(tries).toEqual({ network: 6, quota: 1 });
  expect(nextTry('network', at, tries)).toBeNull();
});
