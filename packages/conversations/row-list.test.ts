import type { ConversationId } from '@hearth/protocol/ids.ts';
import { countedIds } from '@hearth/store/counted-ids.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Behind } from './behind.ts';
import { homeDirectory } from './conversation-directory.ts';
import { HomeStore } from './home-store.ts';
import type { StoredRow } from './ports.ts';
import { readRows } from './row-reader.ts';
import { HOME } from './testing/sample-home.ts';

/*
 * The list with its cache is the list without it, whatever became of the files and of the cache: at once for what a service
 * did, and after the look at the files for what anybody else did.
 */

const MANY = 70;
const INDEX = `${HOME}/index.json`;
const home = homeDirectory(HOME);
const ids = countedIds();
const encoder = new TextEncoder();

/** Counts the files that are read, and may keep whoever looks at some waiting. */
class CountingDisk extends SimDisk {
  reads = 0;
  looking: (() => void) | null = null;
  held: Promise<void> = Promise.resolve();
  override async marksOf(paths: readonly string[]): ReturnType<SimDisk['marksOf']> {
    this.looking?.();
    await this.held;
    return super.marksOf(paths);
  }
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

const always = (): Promise<boolean> => Promise.resolve(true);

/** The rows once the files were looked at. */
async function lookedAt(store: HomeStore): Promise<StoredRow[]> {
  const rows = new Map((await store.list({})).map(row => [row.id, row]));
  const told = (id: ConversationId, row: StoredRow | null): void =>
    void (row === null ? rows.delete(id) : rows.set(id, row));
  await store.check({ told, goOn: always });
  return [...rows.values()];
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
  await lookedAt(store);
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

async function change(store: HomeStore, id: ConversationId): Promise<void> {
  await store.open(id);
  await store.update(record(id, 'changed'));
  await store.release(id);
}
const accepted = (): boolean => true;
const refused = (): boolean => false;

describe('the cache of the list', () => {
  it('spares a second boot every file but those that changed', async () => {
    const disk = await copied();
    expect(await storeOn(disk).list({})).toEqual(await truth(full));
    expect(disk.reads).toBe(0);
    await happenings['a title is written']?.(disk, 3, 'new');
    expect((await lookedAt(storeOn(disk)))[3]).toMatchObject({ id: made[3], title: 'new' });
    expect(disk.reads).toBe(3);
    // It was seen once, so the next start does not begin with what it was.
    expect((await storeOn(disk).list({}))[3]).toMatchObject({ title: 'new' });
    expect(disk.reads).toBe(6);
  });

  it('is not made for a few', async () => {
    const disk = new SimDisk();
    const store = storeOn(disk);
    for (let n = 0; n < 3; n += 1) await store.create(record(ids.conversation(), 'one'));
    expect(await lookedAt(store)).toHaveLength(3);
    expect(await disk.read(INDEX)).toBeNull();
  });

  it('costs nothing but time where it cannot be written', async () => {
    const disk = await copied();
    await disk.remove(INDEX);
    disk.room(0);
    expect(await lookedAt(storeOn(disk))).toEqual(await truth(full));
    expect(await disk.read(INDEX)).toBeNull();
  });

  it('is not trusted for what a service has changed, wherever that was killed', async () => {
    const [c = ''] = made;
    const id = c as ConversationId;
    for (let calls = 1; ; calls += 1) {
      const disk = await copied();
      const store = storeOn(disk);
      await store.list({});
      disk.crashBefore(disk.calls + calls);
      const done = await change(store, id).then(accepted, refused);
      // Its process is killed, and the machine goes on.
      disk.crashBefore(Number.POSITIVE_INFINITY);
      expect(await storeOn(disk).list({})).toEqual(await truth(disk));
      // The machine stops, too, and loses what was not synced.
      const after = disk.crash({ seed: calls });
      expect(await lookedAt(storeOn(after))).toEqual(await truth(after));
      if (done) return;
    }
  });

  it('is lost where it cannot be told that it is behind', async () => {
    const disk = await copied();
    const store = storeOn(disk);
    await store.list({});
    disk.room(0);
    const [id] = made;
    await store.open(id as ConversationId);
    expect(await disk.read(INDEX)).toBeNull();
  });

  it('is lost where what changed while it was written cannot be noted any more', async () => {
    const disk = await copied();
    const written = (await disk.read(INDEX)) ?? new Uint8Array();
    const behind = new Behind(disk, home);
    const replaced = behind.replace(async () => {
      disk.room(0);
      await behind.note(made[0] as ConversationId);
      disk.room(null);
      await disk.write(INDEX, written);
      disk.room(0);
    });
    await expect(replaced).rejects.toMatchObject({ code: 'disk_full' });
    expect(await disk.read(INDEX)).toBeNull();
  });

  it('is not trusted for what a look has found that a stop ended early', async () => {
    const disk = await copied();
    await happenings['a title is written']?.(disk, 3, 'new');
    const store = storeOn(disk);
    await store.list({});
    let parts = 1;
    await store.check({ told: () => undefined, goOn: () => Promise.resolve(parts-- > 0) });
    expect((await storeOn(disk).list({}))[3]).toMatchObject({ title: 'new' });
  });

  it('is written anew rather than remember all that are gone', async () => {
    const disk = await copied();
    const gone = Array.from({ length: 600 }, () => ids.conversation());
    await disk.write(home.behind, encoder.encode(gone.join('\n')));
    expect(await lookedAt(storeOn(disk))).toEqual(await truth(full));
    expect(await disk.stat(home.behind)).toMatchObject({ bytes: 0 });
  });

  it('is taken away, and so is what it is behind on, where few are left', async () => {
    const disk = await copied();
    for (const id of made.slice(10)) await disk.remove(`${home.conversations}/${id}`);
    expect(await lookedAt(storeOn(disk))).toHaveLength(10);
    expect([await disk.read(INDEX), await disk.read(home.behind)]).toEqual([null, null]);
  });

  it('has nobody look at what is open, nor open what is looked at', async () => {
    const disk = await copied();
    const store = storeOn(disk);
    await store.list({});
    const [first, last] = [made[0], made.at(-1)] as [ConversationId, ConversationId];
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    Object.assign(disk, { looking: begun.resolve, held: held.promise });
    const told: ConversationId[] = [];
    for (const n of [0, MANY - 1]) await happenings['a title is written']?.(disk, n, 'new');
    const check = store.check({ told: id => void told.push(id), goOn: always });
    await begun.promise;
    const order: string[] = [];
    const opening = store.open(first).then(() => order.push('opened'));
    // It is in no part that is being looked at, and is in none from now on.
    await store.open(last);
    order.push('looked');
    held.resolve();
    await Promise.all([opening, check]);
    expect(order).toEqual(['looked', 'opened']);
    expect(told).toEqual([first]);
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
          const rows = await lookedAt(storeOn(disk));
          // What was damaged may have been mended by reading it.
          expect(rows).toEqual((await truth(disk)).filter(row => 'id' in row));
          expect(rows).toEqual(expect.arrayContaining(before));
        }
      }),
      { numRuns: 60 },
    );
  });
});
