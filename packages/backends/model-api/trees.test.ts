import { enumerateCrashes } from '@hearth/store/enumerate-crashes.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Line } from './line.ts';
import type { Transcript } from './transcript.ts';
import { Trees } from './trees.ts';

/* Sessions that share a tree: forked, tried again from an earlier entry, and written to at once. */

const HERE = '/backend/nexie';
const FILE = `${HERE}/model-api-s1.jsonl`;
const words = (text: string): Line => ({ line: 'words', text });
const textsOf = (transcript: Transcript | null) =>
  transcript?.lines.flatMap(line => (line.line === 'words' ? [line.text] : [])) ?? null;
const fileOf = async (disk: SimDisk) => new TextDecoder().decode((await disk.read(FILE)) ?? undefined);

async function begun(disk: SimDisk, ...texts: readonly string[]) {
  const trees = new Trees(disk);
  return { trees, root: await trees.create(HERE, 's1', texts.map(words)) };
}

/** Opens a session as after a restart. */
async function reread(disk: SimDisk, session: string): Promise<readonly string[] | null> {
  const transcript = await new Trees(disk).open(HERE, session);
  const texts = textsOf(transcript);
  await transcript?.close();
  return texts;
}

describe('a fork', () => {
  test('shares what was said and copies none of it; then each goes its own way', async () => {
    const disk = new SimDisk();
    const { root } = await begun(disk, 'a'.repeat(5000), 'two');
    const before = await fileOf(disk);
    const fork = await root.fork();
    const after = await fileOf(disk);
    expect(after.startsWith(before)).toBe(true);
    expect(after.length - before.length).toBeLessThan(100);
    expect(await disk.list(HERE)).toEqual(['model-api-s1.jsonl']);
    await Promise.all([root.append([words('on')]), fork.append([words('aside')])]);
    const second = await fork.fork();
    await second.append([words('further')]);
    const shared = ['a'.repeat(5000), 'two'];
    expect(textsOf(root)).toEqual([...shared, 'on']);
    expect(textsOf(second)).toEqual([...shared, 'aside', 'further']);
    expect(await reread(disk, root.session)).toEqual([...shared, 'on']);
    expect(await reread(disk, fork.session)).toEqual([...shared, 'aside']);
    expect(await reread(disk, second.session)).toEqual([...shared, 'aside', 'further']);
    expect(new Set([root.session, fork.session, second.session]).size).toBe(3);
  });

  test('of a session that another turn has open sees what is durable in it, and both write one after the other', async () => {
    const disk = new SimDisk();
    const { trees, root } = await begun(disk, 'one');
    await root.append([words('two')]);
    const other = await trees.open('/backend/other', 's1');
    const fork = await other?.fork();
    if (fork === undefined) throw new Error('no session');
    await Promise.all([0, 1, 2, 3].flatMap(at => [root, fork].map(to => to.append([words(`${at}`)]))));
    await root.close();
    await fork.append([words('last')]);
    await fork.close();
    expect(await reread(disk, 's1')).toEqual(['one', 'two', '0', '1', '2', '3']);
    expect(await reread(disk, 's1.1')).toEqual(['one', 'two', '0', '1', '2', '3', 'last']);
    expect(await reread(disk, 's1.2')).toBeNull();
  });
});

test('what is tried again from an earlier entry is a branch: the file keeps both, the session the latest', async () => {
  const disk = new SimDisk();
  const { root } = await begun(disk, 'one');
  const at = root.lines.at(-1)?.id ?? -1;
  await root.append([words('tried'), words('in vain')]);
  root.branch(at);
  expect(textsOf(root)).toEqual(['one']);
  // Nothing has moved before something is added.
  expect(await reread(disk, 's1')).toEqual(['one', 'tried', 'in vain']);
  await root.append([words('tried again')]);
  expect(await reread(disk, 's1')).toEqual(['one', 'tried again']);
  expect(await fileOf(disk)).toContain('in vain');
});

test('whatever is added, forked and branched, in whatever order, is there when it is read again', async () => {
  const step = fc.record({
    at: fc.nat(5),
    how: fc.constantFrom('append', 'append', 'fork', 'branch'),
    back: fc.nat(3),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
      const disk = new SimDisk();
      const { root } = await begun(disk, 'seed');
      const sessions = [{ transcript: root, said: ['seed'] }];
      for (const [number, { at, how, back }] of steps.entries()) {
        const one = sessions[at % sessions.length]!;
        if (how === 'fork') sessions.push({ transcript: await one.transcript.fork(), said: [...one.said] });
        const own = one.transcript.lines.findLastIndex(line => line.line === 'session');
        const to = one.transcript.lines[Math.max(own, one.transcript.lines.length - 1 - back)]!;
        if (how === 'branch') {
          one.transcript.branch(to.id);
          one.said = textsOf(one.transcript) as string[];
        }
        if (how === 'fork') continue;
        await one.transcript.append([words(`w${number}`)]);
        one.said.push(`w${number}`);
      }
      for (const { transcript, said } of sessions) {
        expect(textsOf(transcript)).toEqual(said);
        expect(await reread(disk, transcript.session)).toEqual(said);
      }
    }),
    { numRuns: 40 },
  );
});

test('a file of the format before is read, and from then on is a tree', async () => {
  const disk = new SimDisk();
  const old = [
    { line: 'session', format: 1, session: 's1' },
    words('old'),
    words('kept'),
    { line: 'compacted', summary: 's', from: 2, kept: 1, dropped: 1 },
  ];
  await disk.makeDirectory(HERE);
  const text = old.map(line => `${JSON.stringify(line)}\n`).join('');
  await disk.write(FILE, new TextEncoder().encode(`${text}{"line":"wor`));
  const transcript = await new Trees(disk).open(HERE, 's1');
  expect(transcript?.lines.map(({ id, parent, line }) => [id, parent, line])).toEqual([
    [0, null, 'session'],
    [1, 0, 'words'],
    [2, 1, 'words'],
    [3, 2, 'compacted'],
  ]);
  await transcript?.append([words('new')]);
  expect(await reread(disk, 's1')).toEqual(['old', 'kept', 'new']);
  expect(await fileOf(disk)).toContain('"format":2');
});

test('after a write that failed nothing is taken, and the next opening reads what is there', async () => {
  const disk = new SimDisk();
  const { trees, root } = await begun(disk, 'one');
  disk.failNext('appendWrite', 'disk_full', 7);
  const both = await Promise.allSettled([root.append([words('two')]), root.append([words('three')])]);
  expect(both.map(one => one.status)).toEqual(['rejected', 'rejected']);
  await expect(root.append([words('four')])).rejects.toMatchObject({ code: 'disk_full' });
  const again = await trees.open(HERE, 's1');
  expect(textsOf(again)).toEqual(['one']);
  await again?.append([words('five')]);
  await root.close();
  await again?.append([words('six')]);
  expect(await reread(disk, 's1')).toEqual(['one', 'five', 'six']);
});

test('what a failed sync was for is taken out: no later one would write it, and what follows it would be lost too', async () => {
  const empty = new SimDisk();
  await empty.makeDirectory(HERE);
  const disk = empty.crash({ seed: 1 });
  // Writes another number of bytes than it is given, as one that takes secrets out.
  const append = disk.append.bind(disk);
  disk.append = async path => {
    const handle = await append(path);
    const without = (bytes: Uint8Array): Uint8Array =>
      Buffer.from(Buffer.from(bytes).toString().replace('a secret', 'what is written instead'));
    return { ...handle, write: bytes => handle.write(without(bytes)) };
  };
  const { trees, root } = await begun(disk, 'one');
  await root.append([words('a secret')]);
  disk.failNext('appendSync', 'disk_failed');
  await expect(root.append([words('two')])).rejects.toMatchObject({ code: 'disk_failed' });
  const again = await trees.open(HERE, 's1');
  expect(textsOf(again)).toEqual(['one', 'what is written instead']);
  await again?.append([words('three')]);
  for (let seed = 0; seed < 12; seed += 1)
    expect(await reread(disk.crash({ seed }), 's1'), `seed ${seed}`).toEqual([
      'one',
      'what is written instead',
      'three',
    ]);
});

test('nobody who opens a session meanwhile goes on from what is about to be taken out', async () => {
  const disk = new SimDisk();
  const gate = Promise.withResolvers<void>();
  const { trees, root } = await begun(disk, 'one');
  const truncate = disk.truncate.bind(disk);
  disk.truncate = async (path, length) => {
    await gate.promise;
    await truncate(path, length);
  };
  disk.failNext('appendSync', 'disk_failed');
  const refused = root.append([words('two')]).catch(() => undefined);
  await new Promise(resolve => setImmediate(resolve));
  const meanwhile = await trees.open(HERE, 's1');
  const later = meanwhile?.append([words('three')]).catch(() => undefined);
  gate.resolve();
  await Promise.all([refused, later]);
  const again = await trees.open(HERE, 's1');
  await again?.append([words('four')]);
  expect(await reread(disk, 's1')).toEqual(['one', 'four']);
});

test('what was durable stays when the disk then fails to say how long the file is', async () => {
  const disk = new SimDisk();
  const { root } = await begun(disk, 'one');
  const stat = disk.stat.bind(disk);
  let asked = 0;
  disk.stat = path => {
    asked += 1;
    if (asked === 2) disk.failNext('stat', 'disk_failed');
    return stat(path);
  };
  const first = root.append([words('two')]);
  await Promise.resolve();
  const second = root.append([words('three')]);
  const both = await Promise.allSettled([first, second]);
  expect(both.map(one => one.status)).toEqual(['fulfilled', 'rejected']);
  disk.stat = stat;
  expect(await reread(disk, 's1')).toEqual(['one', 'two']);
});

test('a crash at any call of the disk loses nothing that was told to be durable, in any session', async () => {
  const { cases } = await enumerateCrashes<Map<string, string[]>>({
    setup: disk => disk.makeDirectory(HERE),
    progress: () => new Map(),
    act: async (disk, told) => {
      const { root } = await begun(disk, 'seed');
      told.set('s1', ['seed']);
      const fork = await root.fork();
      told.set('s1.1', ['seed']);
      const add = async (to: Transcript, text: string) => {
        await to.append([words(text)]);
        told.get(to.session)?.push(text);
      };
      await Promise.all([add(root, 'r1'), add(fork, 'f1'), add(root, 'r2'), add(fork, 'f2')]);
      await add(root, 'r3');
      await root.close();
    },
    check: async (disk, told) => {
      for (const [session, said] of told) {
        const found = await reread(disk, session);
        expect(found?.slice(0, said.length)).toEqual(said);
      }
    },
  });
  expect(cases).toBeGreaterThan(20);
});
