import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppendLog } from './append-log.ts';
import { BLOCK } from './line-reader.ts';
import { INDEX_LIMIT, OffsetIndex } from './offset-index.ts';
import { SimDisk } from './sim-disk.ts';

/* Reading a long log page by page: what it gives, and how many bytes are read for it. */

const Line = z.object({ seq: z.int(), text: z.string() });
type Line = z.infer<typeof Line>;
const PATH = '/d/log.jsonl';
const options = { line: Line, seqOf: (line: Line) => line.seq };

async function logOf(lines: readonly Line[], disk = new SimDisk()) {
  await disk.makeDirectory('/d');
  const { log } = await AppendLog.open<Line>(disk, PATH, options);
  await log.rewrite(null, lines);
  return log;
}

/** A disk that counts the bytes that are read from it. */
class CountingDisk extends SimDisk {
  bytes = 0;
  override async readRange(path: string, offset: number, length: number): Promise<Uint8Array> {
    const found = await super.readRange(path, offset, length);
    this.bytes += found.length;
    return found;
  }
}

/** What `work` reads. */
async function cost(disk: CountingDisk, work: () => Promise<unknown>): Promise<number> {
  disk.bytes = 0;
  await work();
  return disk.bytes;
}

describe('pages of a log', () => {
  it('are those of a plain list, in whatever order they are asked for and whatever happens in between', async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          is: fc.constant('before' as const),
          seq: fc.nat(150),
          count: fc.integer({ min: 1, max: 20 }),
        }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          is: fc.constant('after' as const),
          seq: fc.nat(150),
          count: fc.integer({ min: 1, max: 20 }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          is: fc.constant('append' as const),
          seq: fc.nat(3),
          count: fc.integer({ min: 1, max: 20 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ is: fc.constant('cut' as const), seq: fc.nat(150), count: fc.constant(0) }),
      },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.nat(3000)), { minLength: 40, maxLength: 160 }),
        fc.array(step, { maxLength: 40 }),
        async (shapes, steps) => {
          let seq = 0;
          let plain = shapes.map(([rise, size]): Line => ({ seq: (seq += rise), text: '.'.repeat(size) }));
          const log = await logOf(plain);
          for (const { is, seq: at, count } of steps) {
            if (is === 'append') {
              const last = plain.at(-1)?.seq ?? 0;
              const lines = Array.from({ length: count }, (): Line => ({ seq: last + at, text: 'new' }));
              await log.append(lines);
              plain = [...plain, ...lines];
            } else if (is === 'cut') {
              const cut = await log.cutAfter(at);
              const kept = plain.filter(line => line.seq <= at);
              expect(cut !== null).toBe(kept.length < plain.length);
              plain = kept;
              expect(log.last).toBe(plain.at(-1)?.seq ?? null);
            } else if (is === 'before') {
              expect(await log.before(at, count)).toEqual(plain.filter(line => line.seq < at).slice(-count));
            } else {
              expect(await log.after(at, count)).toEqual(plain.filter(line => line.seq > at).slice(0, count));
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('cost the same in a log and in one that is sixteen times as long', async () => {
    const costs = await Promise.all(
      [4_000, 64_000].map(async count => {
        const disk = new CountingDisk();
        const lines = Array.from(
          { length: count },
          (_, index): Line => ({ seq: index + 1, text: '.'.repeat(230) }),
        );
        await logOf(lines, disk);
        const opening = await cost(disk, () =>
          AppendLog.open<Line>(disk, PATH, { ...options, synced: count }),
        );
        const { log } = await AppendLog.open<Line>(disk, PATH, { ...options, synced: count });
        const pages: number[] = [];
        for (let before = count - 200; pages.length < 5; before -= 50)
          pages.push(await cost(disk, () => log.before(before, 50)));
        const forward: number[] = [];
        for (let after = count / 2; forward.length < 5; after += 50)
          forward.push(await cost(disk, () => log.after(after, 50)));
        return { opening, pages, forward };
      }),
    );
    const [short, long] = costs;
    expect(long!.opening).toBe(short!.opening);
    // Whoever reads on pays for the page alone.
    expect(long!.pages.slice(1)).toEqual(short!.pages.slice(1));
    expect(long!.forward.slice(1)).toEqual(short!.forward.slice(1));
    expect(Math.max(...long!.pages.slice(1), ...long!.forward.slice(1))).toBeLessThan(3 * BLOCK);
    // A place that was never seen is found by halving: four halvings more, of one small read each.
    expect(long!.pages[0]! - short!.pages[0]!).toBeLessThan(6 * 4096);
  });
});

describe('the lines of one number', () => {
  it('are all of them, without the rest of the log', async () => {
    const disk = new CountingDisk();
    const lines = Array.from(
      { length: 20_000 },
      (_, index): Line => ({ seq: Math.floor(index / 300), text: String(index) }),
    );
    const log = await logOf(lines, disk);
    expect(await log.at(20)).toEqual(lines.slice(6000, 6300));
    expect(await cost(disk, () => log.at(20))).toBeLessThan(2 * BLOCK);
    expect(await log.at(99)).toEqual([]);
  });
});

describe('the memory of places', () => {
  it('stays bounded and never narrows a place away', () => {
    const index = new OffsetIndex();
    for (let seq = 1; seq <= 10 * INDEX_LIMIT; seq += 1)
      index.add((seq * 7919) % 100_003, ((seq * 7919) % 100_003) * 10);
    expect(index.size).toBeLessThanOrEqual(INDEX_LIMIT);
    const whole = { low: 0, high: 1_000_030 };
    for (let seq = 0; seq < 100_003; seq += 97) {
      const { low, high } = index.narrow(seq, whole);
      expect(low).toBeLessThanOrEqual(seq * 10);
      expect(high).toBeGreaterThanOrEqual(seq * 10);
    }
    index.clear();
    expect(index.narrow(5, whole)).toEqual(whole);
  });
});
