import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DamagedFile, readJson, sweepTemps, writeAtomic, writeJson } from './atomic-file.ts';
import { enumerateCrashes } from './enumerate-crashes.ts';
import { SimDisk } from './sim-disk.ts';

const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);
const OLD = 'o'.repeat(50);
const NEW = 'n'.repeat(80);

async function textOf(disk: SimDisk, path: string): Promise<string | null> {
  const bytes = await disk.read(path);
  return bytes && new TextDecoder().decode(bytes);
}

describe('writeAtomic', () => {
  it('leaves the old file or the new one at every crash, and the new one once it has resolved', async () => {
    const { calls, cases } = await enumerateCrashes({
      setup: async disk => {
        await disk.makeDirectory('/d');
        await writeAtomic(disk, '/d/a', bytesOf(OLD));
      },
      progress: () => ({ done: false }),
      act: async (disk, progress) => {
        await writeAtomic(disk, '/d/a', bytesOf(NEW));
        progress.done = true;
      },
      check: async (disk, progress) => {
        expect(progress.done ? [NEW] : [OLD, NEW]).toContain(await textOf(disk, '/d/a'));
        await sweepTemps(disk, '/d');
        expect(await disk.list('/d')).toEqual(['a']);
      },
      seeds: Array.from({ length: 20 }, (_, seed) => seed),
    });
    expect(calls).toBe(4);
    expect(cases).toBe(100);
  });

  it('leaves nothing or the whole file when there was none', async () => {
    await enumerateCrashes({
      setup: disk => disk.makeDirectory('/d'),
      progress: () => ({ done: false }),
      act: async (disk, progress) => {
        await writeAtomic(disk, '/d/a', bytesOf(NEW));
        progress.done = true;
      },
      check: async (disk, progress) => {
        expect(progress.done ? [NEW] : [null, NEW]).toContain(await textOf(disk, '/d/a'));
      },
    });
  });

  it.each(['write', 'syncFile', 'rename'] as const)(
    'keeps the old file and tidies up when %s fails',
    async call => {
      const disk = new SimDisk();
      await disk.makeDirectory('/d');
      await writeAtomic(disk, '/d/a', bytesOf(OLD));
      disk.failNext(call, 'disk_full', 7);
      await expect(writeAtomic(disk, '/d/a', bytesOf(NEW))).rejects.toMatchObject({ code: 'disk_full' });
      expect(await textOf(disk, '/d/a')).toBe(OLD);
      expect(await disk.list('/d')).toEqual(['a']);
    },
  );

  it('is told when the new name may not survive', async () => {
    const disk = new SimDisk();
    disk.failNext('syncDirectory', 'disk_failed');
    await expect(writeAtomic(disk, '/a', bytesOf(NEW))).rejects.toMatchObject({ code: 'disk_failed' });
  });

  it('never mixes two writes of the same file', async () => {
    const disk = new SimDisk();
    await Promise.all([writeAtomic(disk, '/a', bytesOf(OLD)), writeAtomic(disk, '/a', bytesOf(NEW))]);
    expect([OLD, NEW]).toContain(await textOf(disk, '/a'));
    expect(await disk.list('/')).toEqual(['a']);
  });
});

describe('sweepTemps', () => {
  it('takes only what writeAtomic may have left', async () => {
    const disk = new SimDisk();
    for (const name of ['.a.12-3.tmp', '.a.tmp', 'a.12-3.tmp', '.new-c', 'a'])
      await disk.write(`/${name}`, bytesOf(''));
    expect(await sweepTemps(disk, '/')).toBe(1);
    expect(await disk.list('/')).toEqual(['.a.tmp', '.new-c', 'a', 'a.12-3.tmp']);
  });
});

describe('readJson', () => {
  const Shape = z.object({ name: z.string(), deep: z.object({ count: z.int() }) });

  it('gives back what writeJson wrote, and null for no file', async () => {
    const disk = new SimDisk();
    const value = { name: 'ü\n"', deep: { count: 3 } };
    await writeJson(disk, '/a', value);
    expect(await readJson(disk, '/a', Shape)).toEqual(value);
    expect(await readJson(disk, '/b', Shape)).toBeNull();
  });

  it.each([
    ['', 'not JSON'],
    ['{"name":', 'not JSON'],
    ['{"name":"a","deep":{"count":"3"}}', 'deep.count'],
    ['null', 'must be an object'],
  ])('rejects %j as damaged and says why', async (content, why) => {
    const disk = new SimDisk();
    await disk.write('/a', bytesOf(content));
    const failure = await readJson(disk, '/a', Shape).catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(DamagedFile);
    expect(failure).toMatchObject({ code: 'damaged_file', path: '/a', why: expect.stringContaining(why) });
  });
});
