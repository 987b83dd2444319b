import type { ConversationId } from '@hearth/protocol/ids.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { homeDirectory } from './conversation-directory.ts';
import { HomeStore } from './home-store.ts';
import { readRows } from './row-reader.ts';
import { HOME } from './testing/sample-home.ts';

/* The list with its cache is the list without it, whatever became of the files and of the cache. */

const MANY = 70;
const INDEX = `${HOME}/index.json`;
const home = homeDirectory(HOME);
const ids = countedIds();
const encoder = new TextEncoder();

/** Counts the files that are read. */
class CountingDisk extends SimDisk {
  reads = 0;
  override readMany(paths: readonly string[]): ReturnType<SimDisk['readMany']> {
    this.reads += paths.length;
    return super.readMany(paths);
  }
}

const storeOn = (disk: SimDisk): HomeStore => new HomeStore({ disk, clock: new SimClock(), home: HOME });

function record(id: ConversationId, title: string) {
  const kept = { pinned: false, origin: 'person', epoch: 1, createdAt: '2026-01-01T00:00:00.000Z' } as const;
  return { format: 1, id, title, scope: { kind: 'global' }, bot: 'b', default: false, ...kept } as const;
}

/** What the files say. */
async function truth(disk: SimDisk) {
  const names = await disk.list(home.conversations);
  return (await readRows(disk, home, names as ConversationId[])).map(one => one.row);
}

async function replace(disk: SimDisk, path: string, change: (text: string) => string): Promise<void> {
  const before = new TextDecoder().decode((await disk.read(path)) ?? new Uint8Array());
  await disk.write(path, encoder.encode(change(before)));
}

const full = new CountingDisk();
const made: ConversationId[] = [];
beforeAll(async () => {
  const store = storeOn(full);
  for (let n = 0; n < MANY; n += 1) {
    const id = ids.conversation();
    made.push(id);
    await store.create(record(id, `number ${n}`));
  }
  await store.list({});
});

/** The same home in another disk, on which nothing was read yet. */
async function copied(): Promise<CountingDisk> {
  const disk = new CountingDisk();
  const copy = async (path: string): Promise<void> => {
    const found = await full.stat(path);
    if (found?.kind === 'file') return disk.write(path, (await full.read(path)) ?? new Uint8Array());
    await disk.makeDirectory(path);
    for (const name of await full.list(path)) await copy(`${path}/${name}`);
  };
  await copy(HOME);
  return disk;
}

const pathOf = (n: number, file: string): string => `${home.conversations}/${made[n % MANY] ?? ''}/${file}`;

/** What may befall a home between two boots. */
const happenings: Record<string, (disk: SimDisk, n: number, word: string) => Promise<void>> = {
  'a title is written': (disk, n, word) =>
    replace(disk, pathOf(n, 'conversation.json'), text =>
      text.replace(/"title":"[^"]*"/, `"title":"${word}"`),
    ),
  'a snapshot is written': (disk, n, word) =>
    replace(disk, pathOf(n, 'epochs/1/snapshot.json'), text =>
      text.replace(/"updatedAt":"[^"]*"/, `"updatedAt":"${word}"`),
    ),
  'another generation begins': (disk, n) =>
    replace(disk, pathOf(n, 'epochs/1/snapshot.json'), text =>
      text.replace(/"generation":\d+/, `"generation":${n + 2}`),
    ),
  'something is committed': async (disk, n, word) => {
    const path = pathOf(n, 'epochs/1/snapshot.json');
    const { generation } = JSON.parse(new TextDecoder().decode((await disk.read(path)) ?? new Uint8Array()));
    await disk.write(pathOf(n, `epochs/1/journal.${generation}.jsonl`), encoder.encode(word));
  },
  'a record is damaged': (disk, n) => replace(disk, pathOf(n, 'conversation.json'), text => text.slice(1)),
  'a snapshot is lost': (disk, n) => disk.remove(pathOf(n, 'epochs/1/snapshot.json')),
  'two change places': async (disk, n) => {
    const [a, b, aside] = [pathOf(n, 'conversation.json'), pathOf(n + 1, 'conversation.json'), `${HOME}/x`];
    for (const [from, to] of [
      [a, aside],
      [b, a],
      [aside, b],
    ] as const)
      await disk.rename(from, to);
  },
  'the cache is cut': (disk, n) => replace(disk, INDEX, text => text.slice(0, n * 7)),
  'the cache is bent': (disk, n) =>
    replace(disk, INDEX, text => text.replaceAll(`number ${n % MANY}"`, `nobody ${n % MANY}"`)),
  'the cache is lost': disk => disk.remove(INDEX),
};

describe('the cache of the list', () => {
  it('spares a second boot every file but those that changed', async () => {
    const disk = await copied();
    expect(await storeOn(disk).list({})).toEqual(await truth(full));
    expect(disk.reads).toBe(0);
    await happenings['a title is written']?.(disk, 3, 'new');
    expect((await storeOn(disk).list({}))[3]).toMatchObject({ id: made[3], title: 'new' });
    expect(disk.reads).toBe(3);
  });

  it('is not made for a few', async () => {
    const disk = new SimDisk();
    const store = storeOn(disk);
    for (let n = 0; n < 3; n += 1) await store.create(record(ids.conversation(), 'one'));
    expect(await store.list({})).toHaveLength(3);
    expect(await disk.read(INDEX)).toBeNull();
  });

  it('costs nothing but time where it cannot be written', async () => {
    const disk = await copied();
    await disk.remove(INDEX);
    disk.room(0);
    expect(await storeOn(disk).list({})).toEqual(await truth(full));
    expect(await disk.read(INDEX)).toBeNull();
  });

  it('never shows what the files do not say', { timeout: 60_000 }, async () => {
    const happening = fc.constantFrom(...Object.keys(happenings));
    const story = fc.array(fc.tuple(happening, fc.nat(MANY - 1), fc.stringMatching(/^[a-z]{0,6}$/)), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(story, fc.boolean(), async (steps, eachBoot) => {
        const disk = await copied();
        for (const [index, [what, n, word]] of steps.entries()) {
          await happenings[what]?.(disk, n, word).catch(() => undefined);
          if (!eachBoot && index < steps.length - 1) continue;
          const before = (await truth(disk)).filter(row => 'id' in row);
          const rows = await storeOn(disk).list({});
          // What was damaged may have been mended by reading it.
          expect(rows).toEqual((await truth(disk)).filter(row => 'id' in row));
          expect(rows).toEqual(expect.arrayContaining(before));
        }
      }),
      { numRuns: 60 },
    );
  });
});
