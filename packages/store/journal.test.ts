import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DiskError } from './disk.ts';
import { enumerateCrashes } from './enumerate-crashes.ts';
import { Journal, type OpenedJournal } from './journal.ts';
import { encodeLine } from './journal-line.ts';
import { SimDisk } from './sim-disk.ts';

const Line = z.object({ n: z.int(), text: z.string() });
type Line = z.infer<typeof Line>;

const PATH = '/d/journal.1.jsonl';
const line = (n: number): Line => ({ n, text: `line ${n} ü` });
const linesTo = (count: number): Line[] => Array.from({ length: count }, (_, index) => line(index + 1));

async function ground(): Promise<SimDisk> {
  const disk = new SimDisk();
  await disk.makeDirectory('/d');
  return disk.crash({ seed: 1 });
}

function open(disk: SimDisk, quarantined: Uint8Array[] = []): Promise<OpenedJournal<Line>> {
  return Journal.open(disk, PATH, {
    schema: Line,
    after: 0,
    quarantine: async bytes => {
      quarantined.push(bytes);
    },
  });
}

/** A disk with a durable journal of `count` lines. */
async function written(count: number): Promise<SimDisk> {
  const disk = await ground();
  const { journal } = await open(disk);
  for (const next of linesTo(count)) await journal.append(next);
  await journal.close();
  return disk;
}

async function bytesIn(disk: SimDisk): Promise<Uint8Array> {
  return (await disk.read(PATH)) ?? new Uint8Array();
}

/** Both what was acknowledged and what is only tolerated: a beginning of what was appended, whole and in order. */
function expectBeginning(lines: readonly Line[], acknowledged: number, appended: number): void {
  expect(lines).toEqual(linesTo(lines.length));
  expect(lines.length).toBeGreaterThanOrEqual(acknowledged);
  expect(lines.length).toBeLessThanOrEqual(appended);
}

describe('appending', () => {
  it('creates the file, numbers from `after`, and gives everything back', async () => {
    const disk = await ground();
    const first = await open(disk);
    expect(first).toMatchObject({ lines: [], cut: 0, damaged: null });
    expect(await disk.read(PATH)).toBeNull();
    await Promise.all(linesTo(3).map(next => first.journal.append(next)));
    await first.journal.close();
    const again = await open(disk);
    expect(again).toMatchObject({ lines: linesTo(3), cut: 0, damaged: null });
    expect(again.journal.last).toBe(3);
    expect(again.journal.bytes).toBe((await bytesIn(disk)).length);
  });

  it.each([0, 1, 3])('refuses line %i after line 1 and stays usable', async n => {
    const disk = await written(1);
    const { journal } = await open(disk);
    await expect(journal.append(line(n))).rejects.toBeInstanceOf(RangeError);
    await journal.append(line(2));
    expect((await open(disk)).lines).toEqual(linesTo(2));
  });

  it('takes nothing after it was closed', async () => {
    const { journal } = await open(await ground());
    await journal.close();
    await expect(journal.append(line(1))).rejects.toBeInstanceOf(DiskError);
  });

  it('waits for the appends under way before it closes', async () => {
    const disk = await ground();
    const { journal } = await open(disk);
    const appended = [journal.append(line(1)), journal.append(line(2))];
    await journal.close();
    await Promise.all(appended);
    expect((await open(disk.crash({ seed: 0 }))).lines).toEqual(linesTo(2));
  });
});

describe('group commit', () => {
  /** A disk whose syncs wait until they are let through. */
  class SlowDisk extends SimDisk {
    syncs = 0;
    #gates: (() => void)[] = [];
    override async append(path: string): ReturnType<SimDisk['append']> {
      const handle = await super.append(path);
      return {
        ...handle,
        sync: async () => {
          this.syncs += 1;
          await new Promise<void>(resolve => this.#gates.push(resolve));
          await handle.sync();
        },
      };
    }
    async letThrough(): Promise<void> {
      await expect.poll(() => this.#gates.length).toBe(1);
      this.#gates.shift()?.();
    }
  }

  it('syncs together what was appended during a sync, acknowledges it in order, and not before', async () => {
    const disk = new SlowDisk();
    await disk.makeDirectory('/d');
    const { journal } = await open(disk);
    const done: number[] = [];
    const append = (n: number): Promise<void> => journal.append(line(n)).then(() => void done.push(n));
    const all = [append(1)];
    await expect.poll(() => disk.syncs).toBe(1);
    all.push(append(2), append(3), append(4));
    await disk.letThrough();
    await all[0];
    await expect.poll(() => disk.syncs).toBe(2);
    expect(done).toEqual([1]);
    await disk.letThrough();
    await Promise.all(all);
    expect(done).toEqual([1, 2, 3, 4]);
    expect(disk.syncs).toBe(2);
    await journal.close();
    expect((await open(disk)).lines).toEqual(linesTo(4));
  });

  it('writes appends of the same moment with one sync', async () => {
    const disk = await ground();
    const { journal } = await open(disk);
    const before = disk.calls;
    await Promise.all(linesTo(50).map(next => journal.append(next)));
    // append, write, sync, and the directory because the file is new
    expect(disk.calls - before).toBe(4);
  });
});

describe('crashes', () => {
  const check = async (disk: SimDisk, progress: { acknowledged: number }): Promise<void> => {
    const { lines, journal } = await open(disk);
    expectBeginning(lines, progress.acknowledged, 6);
    // It goes on from there, durably.
    await journal.append(line(lines.length + 1));
    expect((await open(disk.crash({ seed: 0 }))).lines).toEqual(linesTo(lines.length + 1));
  };
  const setup = (disk: SimDisk): Promise<void> => disk.makeDirectory('/d');
  const recover = (disk: SimDisk): Promise<void> => open(disk).then(opened => opened.journal.close());

  it('lose no acknowledged line and invent none, one append after another', async () => {
    const { cases } = await enumerateCrashes({
      setup,
      progress: () => ({ acknowledged: 0 }),
      act: async (disk, progress) => {
        const { journal } = await open(disk);
        for (const next of linesTo(6)) {
          await journal.append(next);
          progress.acknowledged = next.n;
        }
        await journal.close();
      },
      recover,
      check,
      seeds: Array.from({ length: 12 }, (_, seed) => seed),
    });
    expect(cases).toBeGreaterThan(500);
  });

  it('lose no acknowledged line when appends are grouped', async () => {
    await enumerateCrashes({
      setup,
      progress: () => ({ acknowledged: 0 }),
      act: async (disk, progress) => {
        const { journal } = await open(disk);
        const append = (n: number): Promise<void> =>
          journal.append(line(n)).then(() => {
            progress.acknowledged = n;
          });
        const first = append(1);
        await Promise.resolve();
        await Promise.resolve();
        const all = await Promise.allSettled([
          first,
          ...linesTo(6)
            .slice(1)
            .map(next => append(next.n)),
        ]);
        await journal.close();
        const failed = all.find(result => result.status === 'rejected');
        if (failed) throw failed.reason;
      },
      recover,
      check,
      seeds: Array.from({ length: 12 }, (_, seed) => seed),
    });
  });

  it('may leave a line that was never acknowledged; it is durable from the next opening on', async () => {
    const disk = await written(1);
    disk.failNext('appendSync', 'disk_failed');
    const { journal } = await open(disk);
    await expect(journal.append(line(2))).rejects.toBeInstanceOf(DiskError);
    const rebooted = disk.crash({ seed: 1 });
    expect((await open(rebooted)).lines).toEqual(linesTo(2));
    expect((await open(rebooted.crash({ seed: 0 }))).lines).toEqual(linesTo(2));
  });
});

describe('a killed process', () => {
  it('may leave a line in memory only; opening makes it and the name of its file durable', async () => {
    const disk = await ground();
    await (await disk.append(PATH)).write(encodeLine(line(1)));
    expect((await open(disk)).lines).toEqual(linesTo(1));
    expect((await open(disk.crash({ seed: 0 }))).lines).toEqual(linesTo(1));
  });
});

describe('a torn tail', () => {
  it('is cut at every byte at which a write can stop', async () => {
    const disk = await written(3);
    const whole = await bytesIn(disk);
    const ends = linesTo(3).map((_, index) =>
      linesTo(index + 1).reduce((sum, next) => sum + encodeLine(next).length, 0),
    );
    for (let length = 0; length <= whole.length; length += 1) {
      const torn = disk.crash({ seed: 1 });
      await torn.truncate(PATH, length);
      const kept = ends.filter(end => end <= length).length;
      const { lines, cut, damaged, journal } = await open(torn);
      expect(lines).toEqual(linesTo(kept));
      expect(cut).toBe(length - (ends[kept - 1] ?? 0));
      expect(damaged).toBeNull();
      await journal.append(line(kept + 1));
      expect((await open(torn)).lines).toEqual(linesTo(kept + 1));
    }
  });

  it.each([
    ['zeros', new Uint8Array(40)],
    ['zeros with the end of the line', Buffer.concat([new Uint8Array(40), Buffer.from('"}\n')])],
    ['a beginning and zeros', Buffer.concat([encodeLine(line(3)).subarray(0, 9), new Uint8Array(4096)])],
  ])('of %s is cut and not called damage', async (_, tail) => {
    const disk = await written(2);
    const handle = await disk.append(PATH);
    await handle.write(tail);
    const quarantined: Uint8Array[] = [];
    expect(await open(disk, quarantined)).toMatchObject({
      lines: linesTo(2),
      cut: tail.length,
      damaged: null,
    });
    expect(quarantined).toEqual([]);
    expect((await open(disk.crash({ seed: 0 }))).lines).toEqual(linesTo(2));
  });
});

describe('damage', () => {
  it('of any one bit is found: no line changes unnoticed, and everything from it is put aside before it is cut', async () => {
    const disk = await written(4);
    const whole = await bytesIn(disk);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (index, bit) => {
        const rotten = disk.crash({ seed: 1 });
        const bytes = whole.slice();
        bytes[index]! ^= 1 << bit;
        await rotten.write(PATH, bytes);
        const quarantined: Uint8Array[] = [];
        const { lines, damaged, cut, journal } = await open(rotten, quarantined);
        expect(lines).toEqual(linesTo(lines.length));
        expect(lines.length).toBeLessThan(4);
        const kept = linesTo(lines.length).reduce((sum, next) => sum + encodeLine(next).length, 0);
        if (damaged) {
          expect(damaged.from).toBe(lines.length + 1);
          expect(Buffer.from(damaged.bytes)).toEqual(Buffer.from(bytes.subarray(kept)));
          expect(quarantined).toEqual([damaged.bytes]);
        } else {
          expect(cut).toBe(bytes.length - kept);
        }
        await journal.append(line(lines.length + 1));
        expect((await open(rotten)).lines).toEqual(linesTo(lines.length + 1));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a gap in the numbers', [line(1), line(3), line(4)], 'number'],
    ['a line twice', [line(1), line(1)], 'number'],
    ['another shape', [line(1), { n: 2, text: 7 }, line(3)], 'shape'],
  ])('is %s', async (_, lines, why) => {
    const disk = await ground();
    await disk.write(PATH, Buffer.concat(lines.map(next => encodeLine(next))));
    const opened = await open(disk);
    expect(opened.lines).toEqual([line(1)]);
    expect(opened.damaged).toMatchObject({ from: 2, why });
  });

  it('stays in the file when it could not be put aside; the lines before it are readable', async () => {
    const disk = await written(3);
    const bytes = await bytesIn(disk);
    bytes[encodeLine(line(1)).length + 12]! ^= 1;
    await disk.write(PATH, bytes);
    const full = new DiskError('disk_full', '/quarantine', 'The disk is full.');
    const options = { schema: Line, after: 0, quarantine: () => Promise.reject(full) };
    const { lines, damaged, journal } = await Journal.open(disk, PATH, options);
    expect(lines).toEqual(linesTo(1));
    expect(damaged?.from).toBe(2);
    expect(journal.failure).toBe(full);
    await expect(journal.append(line(2))).rejects.toBe(full);
    expect(await bytesIn(disk)).toEqual(bytes);
    const quarantined: Uint8Array[] = [];
    expect((await open(disk, quarantined)).lines).toEqual(linesTo(1));
    expect(quarantined).toHaveLength(1);
  });

  it('loses nothing when the machine stops while it is put aside and cut', async () => {
    await enumerateCrashes({
      setup: async disk => {
        await disk.makeDirectory('/d');
        await disk.makeDirectory('/q');
        const bytes = Buffer.concat(linesTo(4).map(next => encodeLine(next)));
        bytes[encodeLine(line(1)).length + 12]! ^= 1;
        await disk.write(PATH, bytes);
      },
      progress: () => ({}),
      act: async disk => {
        const quarantine = async (bytes: Uint8Array): Promise<void> => {
          await disk.write('/q/bytes', bytes);
          await disk.syncFile('/q/bytes');
          await disk.syncDirectory('/q');
        };
        await Journal.open(disk, PATH, { schema: Line, after: 0, quarantine });
      },
      check: async disk => {
        const cut = (await bytesIn(disk)).length === encodeLine(line(1)).length;
        const aside = (await disk.read('/q/bytes'))?.length ?? 0;
        if (cut) expect(aside).toBeGreaterThan(0);
        expect((await open(disk)).lines).toEqual(linesTo(1));
      },
    });
  });
});

describe('a failing disk', () => {
  it.each(['reopen', 'open'] as const)('that was full takes appends again after %s', async how => {
    const disk = await written(2);
    const { journal } = await open(disk);
    disk.room(encodeLine(line(3)).length + 5);
    await journal.append(line(3));
    const failed = await Promise.allSettled([journal.append(line(4)), journal.append(line(5))]);
    expect(failed.map(result => result.status)).toEqual(['rejected', 'rejected']);
    expect(journal.failure).toMatchObject({ code: 'disk_full', path: PATH });
    disk.room(null);
    await expect(journal.append(line(6))).rejects.toMatchObject({ code: 'disk_full' });
    const again = how === 'reopen' ? await journal.reopen() : await open(disk);
    expect(again).toMatchObject({ lines: linesTo(3), damaged: null });
    await again.journal.append(line(4));
    expect((await open(disk.crash({ seed: 0 }))).lines).toEqual(linesTo(4));
  });

  it('makes everything that waits behind the failure reject with it', async () => {
    const disk = await written(1);
    const { journal } = await open(disk);
    disk.failNext('appendSync', 'disk_failed');
    const first = journal.append(line(2));
    // By now the first is being written; this one waits behind it.
    await Promise.resolve();
    await Promise.resolve();
    const second = journal.append(line(3));
    await expect(first).rejects.toMatchObject({ code: 'disk_failed' });
    await expect(second).rejects.toBe(journal.failure);
  });

  it('loses nothing acknowledged after a sync that failed and a later one that did not', async () => {
    const disk = await written(1);
    const { journal } = await open(disk);
    disk.failNext('appendSync', 'disk_failed');
    await expect(journal.append(line(2))).rejects.toBeInstanceOf(DiskError);
    const again = await journal.reopen();
    expect(again.lines).toEqual(linesTo(1));
    await again.journal.append(line(2));
    await again.journal.append(line(3));
    for (let seed = 0; seed < 20; seed += 1) {
      expect((await open(disk.crash({ seed }))).lines).toEqual(linesTo(3));
    }
  });

  it.each(['appendWrite', 'appendSync', 'append', 'syncDirectory'] as const)(
    'that fails at %s of a new file leaves no line behind a reopening',
    async call => {
      const disk = await ground();
      const { journal } = await open(disk);
      disk.failNext(call, 'disk_failed', 4);
      await expect(journal.append(line(1))).rejects.toBeInstanceOf(DiskError);
      const again = await journal.reopen();
      expect(again.lines).toEqual([]);
      await again.journal.append(line(1));
      expect((await open(disk.crash({ seed: 0 }))).lines).toEqual(linesTo(1));
    },
  );

  it('that takes no writes still opens a journal with a torn tail', async () => {
    const disk = await written(2);
    await disk.truncate(PATH, (await bytesIn(disk)).length - 1);
    disk.failNext('truncate', 'read_only');
    const { lines, journal } = await open(disk);
    expect(lines).toEqual(linesTo(1));
    await expect(journal.append(line(2))).rejects.toMatchObject({ code: 'read_only' });
    expect((await journal.reopen()).journal.failure).toBeNull();
  });

  it('that cannot be read rejects', async () => {
    const disk = await written(1);
    disk.failNext('read', 'disk_failed');
    await expect(open(disk)).rejects.toBeInstanceOf(DiskError);
  });
});
