import { describe, expect, it } from 'vitest';
import { DiskError } from './disk.ts';
import { enumerateCrashes } from './enumerate-crashes.ts';
import { encodeLine } from './journal-line.ts';
import { SimDisk } from './sim-disk.ts';
import { PATH, line, linesTo, ground, open, written, bytesIn, expectBeginning } from './testing/journals.ts';

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

  it('takes for the same moment what the disk does', async () => {
    const over = Promise.withResolvers<void>();
    class PatientDisk extends SimDisk {
      override moment = (): Promise<void> => over.promise;
    }
    const disk = new PatientDisk();
    await disk.makeDirectory('/d');
    const { journal } = await open(disk);
    const before = disk.calls;
    const first = journal.append(line(1));
    await new Promise(resolve => setImmediate(resolve));
    const second = journal.append(line(2));
    expect(disk.calls - before).toBe(0);
    over.resolve();
    await Promise.all([first, second]);
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

  it('may leave a line whose sync failed, which no later sync writes; it is durable all the same', async () => {
    const disk = await written(1);
    disk.failNext('appendSync', 'disk_failed');
    await expect((await open(disk)).journal.append(line(2))).rejects.toBeInstanceOf(DiskError);
    const next = await open(disk);
    expect(next.lines).toEqual(linesTo(2));
    await next.journal.append(line(3));
    for (let seed = 0; seed < 12; seed += 1)
      expect((await open(disk.crash({ seed }))).lines, `seed ${seed}`).toEqual(linesTo(3));
  });

  it('opens where there is no room for another file, and takes lines again once there is', async () => {
    const disk = await written(2);
    await disk.truncate(PATH, (await bytesIn(disk)).length - 1);
    disk.room(0);
    const { journal, lines } = await open(disk);
    expect([journal.failure, lines]).toEqual([null, linesTo(1)]);
    await expect(journal.append(line(2))).rejects.toMatchObject({ code: 'disk_full' });
    disk.mend();
    const again = await journal.reopen();
    await again.journal.append(line(2));
    for (let seed = 0; seed < 12; seed += 1)
      expect((await open(disk.crash({ seed }))).lines, `seed ${seed}`).toEqual(linesTo(2));
  });
});
