import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DiskError } from './disk.ts';
import { enumerateCrashes } from './enumerate-crashes.ts';
import { Journal } from './journal.ts';
import { encodeLine } from './journal-line.ts';
import { Line, PATH, line, linesTo, ground, open, written, bytesIn } from './testing/journals.ts';

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

  it('that could not set damage aside once does so when the journal is reopened', async () => {
    const disk = await written(3);
    const bytes = await bytesIn(disk);
    await disk.write(PATH, bytes.with(bytes.indexOf(10) + 5, 0));
    const quarantined: Uint8Array[] = [];
    let fails = true;
    const { journal, damaged } = await Journal.open(disk, PATH, {
      schema: Line,
      after: 0,
      quarantine: async found => {
        if (fails) throw new DiskError('disk_failed', '/q', 'no');
        quarantined.push(found);
      },
    });
    expect([journal.failure === null, damaged?.from]).toEqual([false, 2]);
    fails = false;
    const again = await journal.reopen();
    expect(again).toMatchObject({ lines: linesTo(1), damaged: { from: 2 } });
    expect(quarantined).toHaveLength(1);
    expect(again.journal.failure).toBeNull();
  });

  it('that takes no writes still opens a journal with a torn tail', async () => {
    const disk = await written(2);
    await disk.truncate(PATH, (await bytesIn(disk)).length - 1);
    disk.failNext('write', 'read_only');
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
