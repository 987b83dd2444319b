import type { AppendHandle, Disk } from '@hearth/store/disk.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Projection } from './projection.ts';

const Line = z.object({ seq: z.number() });
type Line = z.infer<typeof Line>;
const options = { line: Line, seqOf: (line: Line) => line.seq, synced: 0 };
const seqs = (lines: readonly Line[]): number[] => lines.map(line => line.seq);
const upTo = (last: number): number[] => Array.from({ length: last }, (_value, index) => index + 1);

/** A disk whose writes take a while, as a real one's do. */
function slow(disk: Disk): Disk {
  const rest = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
  const append = async (path: string): Promise<AppendHandle> => {
    const handle = await disk.append(path);
    return {
      write: async bytes => {
        await rest();
        await handle.write(bytes);
        await rest();
      },
      sync: async () => {
        await rest();
        await handle.sync();
        await rest();
      },
      close: () => handle.close(),
    };
  };
  const rename = async (from: string, to: string): Promise<void> => {
    await rest();
    await disk.rename(from, to);
    await rest();
  };
  return new Proxy(disk, {
    get(target, name) {
      if (name === 'append') return append;
      if (name === 'rename') return rename;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

describe('a projection on a disk that takes its time', () => {
  it('keeps every line that is pushed while others are written, synced, read or rewritten', async () => {
    const step = fc.constantFrom('push', 'sync', 'read', 'rewrite', 'rest');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
        const disk = new SimDisk();
        await disk.makeDirectory('/p');
        const { projection } = await Projection.open<Line>(slow(disk), '/p/log', options);
        let last = 0;
        const under: Promise<unknown>[] = [];
        for (const taken of steps) {
          if (taken === 'push') projection.push([{ seq: (last += 1) }]);
          if (taken === 'sync') under.push(projection.sync());
          if (taken === 'rewrite') under.push(projection.rewrite(null, 0));
          if (taken === 'rest') await new Promise(resolve => setImmediate(resolve));
          if (taken !== 'read') continue;
          const known = last;
          under.push(
            projection.after(0, 1000).then(lines => expect(seqs(lines).slice(0, known)).toEqual(upTo(known))),
          );
        }
        await Promise.all(under);
        expect(seqs(await projection.after(0, 1000))).toEqual(upTo(last));
        await projection.close();
        const again = await Projection.open<Line>(disk, '/p/log', options);
        expect(seqs(await again.projection.after(0, 1000))).toEqual(upTo(last));
      }),
      { numRuns: 150 },
    );
  });
});

describe('lines whose sync failed', () => {
  it.each([
    ['with the next sync', 'goes on'],
    ['before the file is opened anew', 'closes it'],
    ['from the journal, when the process was killed before that', 'is killed'],
  ])('are written again %s, since no later one vouches for the same bytes', async (_, how) => {
    const disk = new SimDisk();
    await disk.makeDirectory('/p');
    await disk.syncDirectory('/');
    const { projection } = await Projection.open<Line>(disk, '/p/log', options);
    projection.push([{ seq: 1 }]);
    await projection.sync();
    const since = [{ seq: 2 }, { seq: 3 }];
    projection.push(since);
    disk.failNext('appendSync', 'disk_failed');
    await expect(projection.sync()).rejects.toMatchObject({ code: 'disk_failed' });
    if (how === 'closes it') await projection.close();
    const snapshot = { ...options, synced: 1 };
    const kept =
      how === 'goes on' ? projection : (await Projection.open<Line>(disk, '/p/log', snapshot)).projection;
    if (how === 'is killed') await kept.refill(1, since);
    await kept.sync();
    for (let seed = 0; seed < 8; seed += 1) {
      const { projection: found } = await Projection.open<Line>(disk.crash({ seed }), '/p/log', options);
      expect(seqs(await found.after(0, 10))).toEqual([1, 2, 3]);
    }
  });
});

it('writes a few lines when they are to be durable and many at once, and shows all of them before', async () => {
  const disk = new SimDisk();
  await disk.makeDirectory('/p');
  const { projection } = await Projection.open<Line>(disk, '/p/log', options);
  const written = async (): Promise<number> =>
    (await Projection.open<Line>(disk, '/p/log', options)).projection.last ?? 0;
  projection.push([{ seq: 1 }, { seq: 2 }]);
  expect(seqs(await projection.after(0, 1000))).toEqual([1, 2]);
  expect(seqs(await projection.before(2, 1000))).toEqual([1]);
  expect(await written()).toBe(0);
  await projection.sync();
  expect(await written()).toBe(2);
  for (const seq of upTo(200).slice(2)) projection.push([{ seq }]);
  expect(seqs(await projection.after(0, 1000))).toEqual(upTo(200));
  expect(await written()).toBeGreaterThan(100);
});
