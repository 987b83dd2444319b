import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppendLog, type AppendLogOptions, type OpenedLog } from './append-log.ts';
import { DiskError } from './disk.ts';
import { enumerateCrashes } from './enumerate-crashes.ts';
import { BLOCK } from './line-reader.ts';
import { SimDisk } from './sim-disk.ts';

const Line = z.object({ seq: z.int(), text: z.string() });
type Line = z.infer<typeof Line>;
const Header = z.object({ log: z.literal(1), after: z.int() });
type Header = z.infer<typeof Header>;

const PATH = '/d/events.jsonl';
const line = (seq: number, size = 0): Line => ({ seq, text: `line ${seq} ü${'.'.repeat(size)}` });
const linesIn = (from: number, to: number, size = 0): Line[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => line(from + index, size));
const header = (after: number): Header => ({ log: 1, after });

async function ground(): Promise<SimDisk> {
  const disk = new SimDisk();
  await disk.makeDirectory('/d');
  return disk.crash({ seed: 1 });
}

type Extra = Partial<AppendLogOptions<Line, Header>>;
function open(disk: SimDisk, extra: Extra = {}): Promise<OpenedLog<Line, Header>> {
  return AppendLog.open<Line, Header>(disk, PATH, {
    line: Line,
    header: Header,
    seqOf: next => next.seq,
    ...extra,
  });
}

/** A disk with a durable log of the lines 1 to `count`. */
async function written(count: number, size = 0): Promise<SimDisk> {
  const disk = await ground();
  const { log } = await open(disk);
  await log.rewrite(header(0), linesIn(1, count, size));
  return disk;
}

async function everything(log: AppendLog<Line, Header>): Promise<Line[]> {
  const lines: Line[] = [];
  await log.each(next => lines.push(next));
  return lines;
}

describe('a log', () => {
  it('is empty without a file, and a file is made by the first append', async () => {
    const disk = await ground();
    const { log, header: found, cut } = await open(disk);
    expect([found, cut, log.last, log.bytes]).toEqual([null, 0, null, 0]);
    expect([await log.tail(5), await log.before(9, 5), await log.after(0, 5), await everything(log)]).toEqual(
      [[], [], [], []],
    );
    await log.sync();
    expect(await disk.read(PATH)).toBeNull();
  });

  it('needs no header', async () => {
    const disk = await ground();
    const options = { line: Line, seqOf: (next: Line) => next.seq };
    const { log } = await AppendLog.open(disk, PATH, options);
    await log.append([line(1)]);
    await log.append([]);
    await log.append([line(2), line(3)]);
    await log.sync();
    const again = await AppendLog.open(disk.crash({ seed: 0 }), PATH, options);
    expect(await again.log.tail(9)).toEqual(linesIn(1, 3));
    expect(again.log.last).toBe(3);
  });

  it('gives back its header, and takes lines in the order of the calls', async () => {
    const disk = await written(2);
    const { log, header: found } = await open(disk);
    expect(found).toEqual(header(0));
    await Promise.all([log.append([line(3)]), log.append([line(4)]), log.sync(), log.append([line(5)])]);
    expect(log.last).toBe(5);
    expect(log.bytes).toBe((await disk.read(PATH))?.length);
    expect((await open(disk.crash({ seed: 0 }))).log.last).toBe(4);
  });

  it('syncs what an earlier process appended', async () => {
    const disk = await ground();
    await (await disk.append(PATH)).write(
      Buffer.from(`${JSON.stringify(header(0))}\n${JSON.stringify(line(1))}\n`),
    );
    await (await open(disk)).log.sync();
    expect((await open(disk.crash({ seed: 0 }))).log.last).toBe(1);
  });

  it('syncs only when something may be unsynced', async () => {
    const disk = await written(2);
    const { log } = await open(disk);
    await log.append([line(3)]);
    await log.sync();
    const calls = disk.calls;
    await log.sync();
    expect(disk.calls).toBe(calls);
  });

  it('is replaced at once by a rewrite and goes on from there', async () => {
    await enumerateCrashes({
      setup: async disk => {
        await disk.makeDirectory('/d');
        await (await open(disk)).log.rewrite(header(0), linesIn(1, 8));
      },
      progress: () => ({ trimmed: false, synced: false }),
      act: async (disk, progress) => {
        const { log } = await open(disk);
        await log.rewrite(header(6), [line(9)], 6);
        progress.trimmed = true;
        await log.append([line(10)]);
        await log.sync();
        progress.synced = true;
      },
      check: async (disk, progress) => {
        const opened = await open(disk, { synced: 9 });
        const from = opened.header?.after === 6 ? 7 : 1;
        if (progress.trimmed) expect(from).toBe(7);
        expect([8, 9, 10]).toContain(opened.log.last);
        if (progress.synced) expect(opened.log.last).toBe(10);
        expect(await everything(opened.log)).toEqual(linesIn(from, opened.log.last ?? 0));
      },
    });
  });
});

describe('reading', () => {
  it.each([
    ['short lines', 0],
    ['lines about as long as a block', BLOCK - 40],
    ['lines longer than a block', 3 * BLOCK],
  ])('finds the same lines from either end: %s', async (_, size) => {
    const disk = await written(9, size);
    const { log } = await open(disk);
    const all = linesIn(1, 9, size);
    // Only the numbers, so that a failure can be read; the last comparison is of whole lines.
    const seqs = (lines: readonly Line[]): number[] => lines.map(next => next.seq);
    for (let seq = 0; seq <= 11; seq += 1) {
      expect(seqs(await log.before(seq, 3))).toEqual(seqs(all.filter(next => next.seq < seq).slice(-3)));
      expect(seqs(await log.after(seq, 3))).toEqual(seqs(all.filter(next => next.seq > seq).slice(0, 3)));
      expect(seqs(await log.tail(seq))).toEqual(seq === 0 ? [] : seqs(all.slice(-seq)));
    }
    expect((await log.tail(9)).every((next, index) => next.text === all[index]?.text)).toBe(true);
    expect(await everything(log)).toEqual(linesIn(1, 9, size));
  });

  it('agrees with a plain list for any lines, gaps and repetitions in their order included', async () => {
    const lineSizes = fc.array(fc.tuple(fc.nat(2), fc.oneof(fc.nat(200), fc.nat(30_000))), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(lineSizes, fc.nat(60), fc.nat(12), async (steps, seq, count) => {
        let at = 0;
        const lines = steps.map(([step, size]) => line((at += step), size));
        const disk = await ground();
        const { log } = await open(disk);
        await log.rewrite(header(0), []);
        await log.append(lines);
        const below = lines.filter(next => next.seq < seq);
        expect(await log.before(seq, count)).toEqual(count === 0 ? [] : below.slice(-count));
        expect(await log.after(seq, count)).toEqual(lines.filter(next => next.seq > seq).slice(0, count));
        expect(await log.tail(count)).toEqual(count === 0 ? [] : lines.slice(-count));
        expect(await everything(log)).toEqual(lines);
      }),
      { numRuns: 60 },
    );
  });

  it('reads a few blocks of a long file, and not all of it', async () => {
    class MeteredDisk extends SimDisk {
      bytesRead = 0;
      override async readRange(path: string, offset: number, length: number): Promise<Uint8Array> {
        const bytes = await super.readRange(path, offset, length);
        this.bytesRead += bytes.length;
        return bytes;
      }
      override read(path: string): Promise<Uint8Array | null> {
        throw new Error(`the whole of ${path} was read`);
      }
    }
    const disk = new MeteredDisk();
    await disk.makeDirectory('/d');
    const text = new TextEncoder();
    const content = [header(0), ...linesIn(1, 100_000, 60)].map(next => `${JSON.stringify(next)}\n`).join('');
    await disk.write(PATH, text.encode(content));
    const { log } = await open(disk, { synced: 99_990 });
    expect(disk.bytesRead).toBeLessThanOrEqual(3 * BLOCK);
    disk.bytesRead = 0;
    expect(await log.tail(50)).toEqual(linesIn(99_951, 100_000, 60));
    expect(disk.bytesRead).toBe(BLOCK);
    disk.bytesRead = 0;
    expect(await log.before(50_000, 2)).toEqual(linesIn(49_998, 49_999, 60));
    expect(await log.after(12_345, 1)).toEqual(linesIn(12_346, 12_346, 60));
    expect(disk.bytesRead).toBeLessThan(30 * BLOCK);
  });

  it('passes over a line that does not hold, and tells', async () => {
    const disk = await written(5);
    const bytes = (await disk.read(PATH)) ?? new Uint8Array();
    const at = Buffer.from(bytes).indexOf('{"seq":3');
    bytes[at] = 33;
    await disk.write(PATH, bytes);
    const offsets: number[] = [];
    const { log } = await open(disk, { onDamage: damage => offsets.push(damage.offset) });
    const kept = [line(1), line(2), line(4), line(5)];
    expect(await log.tail(9)).toEqual(kept);
    expect(await everything(log)).toEqual(kept);
    expect(await log.after(2, 1)).toEqual([line(4)]);
    expect(await log.before(4, 1)).toEqual([line(2)]);
    expect(new Set(offsets)).toEqual(new Set([at]));
  });
});

describe('a tail that a crash left', () => {
  it('is cut at every byte at which a write can stop', async () => {
    const disk = await written(3);
    const whole = (await disk.read(PATH)) ?? new Uint8Array();
    for (let length = 0; length <= whole.length; length += 1) {
      const torn = disk.crash({ seed: 1 });
      await torn.truncate(PATH, length);
      const { log, header: found, cut } = await open(torn);
      const newlines = whole.subarray(0, length).filter(byte => byte === 10).length;
      expect(found).toEqual(newlines > 0 ? header(0) : null);
      expect(cut).toBe(length - log.bytes);
      expect((await torn.stat(PATH))?.bytes).toBe(log.bytes);
      expect(await everything(log)).toEqual(linesIn(1, newlines - 1));
      expect(log.last).toBe(newlines > 1 ? newlines - 1 : null);
    }
  });

  it('loses nothing synced, and is refilled from `last` without a gap', async () => {
    await enumerateCrashes({
      setup: async disk => {
        await disk.makeDirectory('/d');
        await (await open(disk)).log.rewrite(header(0), linesIn(1, 4));
      },
      progress: () => ({ synced: 4 }),
      act: async (disk, progress) => {
        const { log } = await open(disk, { synced: 4 });
        for (let seq = 5; seq <= 10; seq += 2) {
          await log.append([line(seq)]);
          await log.append([line(seq + 1)]);
          if (seq === 7) {
            await log.sync();
            progress.synced = 8;
          }
        }
        await log.close();
      },
      recover: disk => open(disk, { synced: 4 }).then(({ log }) => log.close()),
      check: async (disk, { synced }) => {
        const { log, header: found } = await open(disk, { synced });
        expect(found).toEqual(header(0));
        expect(log.last).toBeGreaterThanOrEqual(synced);
        await log.append(linesIn((log.last ?? 0) + 1, 12));
        await log.sync();
        const again = await open(disk.crash({ seed: 0 }));
        expect(await everything(again.log)).toEqual(linesIn(1, 12));
      },
      seeds: Array.from({ length: 20 }, (_, seed) => seed),
    });
  });
});

describe('a failing disk', () => {
  it('that was full takes lines again after a reopening, from where `last` says', async () => {
    const disk = await written(2);
    const { log } = await open(disk, { synced: 2 });
    disk.room(45);
    await log.append([line(3)]);
    await expect(log.append([line(4)])).rejects.toMatchObject({ code: 'disk_full', path: PATH });
    disk.room(null);
    await expect(log.append([line(4)])).rejects.toBe(log.failure);
    expect(await log.tail(9)).toEqual(linesIn(1, 3));
    const again = await log.reopen();
    expect([again.log.last, again.log.failure]).toEqual([3, null]);
    await again.log.append([line(4)]);
    expect(await everything(again.log)).toEqual(linesIn(1, 4));
  });

  it('that failed a sync keeps only what was certain', async () => {
    const disk = await written(2);
    const { log } = await open(disk, { synced: 2 });
    await log.append([line(3)]);
    disk.failNext('appendSync', 'disk_failed');
    await expect(log.sync()).rejects.toBeInstanceOf(DiskError);
    const again = await log.reopen();
    expect(again.log.last).toBe(2);
    await again.log.append([line(3), line(4)]);
    await again.log.sync();
    for (let seed = 0; seed < 10; seed += 1) {
      expect(await everything((await open(disk.crash({ seed }))).log)).toEqual(linesIn(1, 4));
    }
  });

  it('is mended by a rewrite', async () => {
    const disk = await written(2);
    const { log } = await open(disk);
    disk.failNext('appendWrite', 'disk_full', 3);
    await expect(log.append([line(3)])).rejects.toBeInstanceOf(DiskError);
    await log.rewrite(header(1), [line(2)]);
    await log.append([line(3)]);
    expect(await everything(log)).toEqual(linesIn(2, 3));
    expect((await disk.stat(PATH))?.bytes).toBe(log.bytes);
  });

  it('that takes no writes still opens a log with a torn tail', async () => {
    const disk = await written(2);
    await disk.truncate(PATH, ((await disk.stat(PATH))?.bytes ?? 0) - 1);
    disk.failNext('truncate', 'read_only');
    const { log } = await open(disk);
    expect(await log.tail(5)).toEqual(linesIn(1, 1));
    await expect(log.append([line(2)])).rejects.toMatchObject({ code: 'read_only' });
    expect((await log.reopen()).log.failure).toBeNull();
  });
});
