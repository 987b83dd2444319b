import { expect, test } from 'vitest';
import type { Ticket } from '@hearth/protocol/ticket.ts';
import { enumerateCrashes } from '@hearth/store/enumerate-crashes.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import type { Board } from './board.ts';
import { Boards } from './boards.ts';

async function board(disk: SimDisk): Promise<Board> {
  const boards = new Boards({ home: '/home', disk, clock: new SimClock(), realPath: async path => path });
  return boards.open('/project');
}

async function all(disk: SimDisk): Promise<readonly Ticket[]> {
  const { tickets, damaged } = await (await board(disk)).list();
  expect(damaged).toEqual([]);
  return tickets;
}

test('a crash during a change leaves the old ticket or the new one', async () => {
  const { cases } = await enumerateCrashes({
    setup: async disk => {
      await (await board(disk)).add({ title: 'one', labels: ['a'] }, 'ada');
    },
    progress: () => ({ told: false }),
    act: async (disk, progress) => {
      const outcome = await (await board(disk)).change(
        '1',
        { title: 'uno', labels: ['b'], state: 'ready' },
        'ada',
      );
      progress.told = outcome.changed;
    },
    check: async (disk, progress) => {
      const [ticket] = await all(disk);
      const { title, labels, state, history } = ticket!;
      const seen = [title, ...labels, state, history.length];
      expect([
        ['one', 'a', 'inbox', 1],
        ['uno', 'b', 'ready', 4],
      ]).toContainEqual(seen);
      if (progress.told) expect(seen).toEqual(['uno', 'b', 'ready', 4]);
    },
  });
  expect(cases).toBeGreaterThan(20);
});

test('closing with a comment is both or neither', async () => {
  await enumerateCrashes({
    setup: async disk => {
      await (await board(disk)).add({ title: 'one' }, 'ada');
    },
    progress: () => ({ told: false }),
    act: async (disk, progress) => {
      progress.told = (await (await board(disk)).close('1', 'ada', 'because')).changed;
    },
    check: async (disk, progress) => {
      const [ticket] = await all(disk);
      expect(ticket!.comments.length).toBe(ticket!.state === 'done' ? 1 : 0);
      if (progress.told) expect(ticket!.state).toBe('done');
    },
  });
});

test('a crash at any moment of a first use, with the boot crashed as well, loses no ticket and gives no id twice', async () => {
  await enumerateCrashes({
    setup: async disk => disk.makeDirectory('/home'),
    progress: () => ({ told: new Set<string>() }),
    act: async (disk, progress) => {
      const fresh = await board(disk);
      progress.told.add((await fresh.add({ title: 'one' }, 'ada')).id);
      progress.told.add((await fresh.add({ title: 'two' }, 'ada')).id);
    },
    recover: async disk => {
      await board(disk);
    },
    check: async (disk, progress) => {
      const there = new Set<string>((await all(disk)).map(({ id }) => id));
      expect([...progress.told].filter(id => !there.has(id))).toEqual([]);
      const next = await (await board(disk)).add({ title: 'three' }, 'ada');
      expect(progress.told.has(next.id) || there.has(next.id)).toBe(false);
    },
  });
});

test('an import is there whole or not at all, however often the boot is crashed', async () => {
  await enumerateCrashes({
    setup: async disk => {
      await (await board(disk)).add({ title: 'zero' }, 'ada');
    },
    progress: () => ({ told: 0 }),
    act: async (disk, progress) => {
      const outcome = await (await board(disk)).import('- [ ] one\n- [ ] two\n- [ ] three', 'a.md', 'ada');
      progress.told = outcome.created.length;
    },
    recover: async disk => {
      await all(disk);
    },
    check: async (disk, progress) => {
      const ids = (await all(disk)).map(({ id }) => id);
      expect([1, 4]).toContain(ids.length);
      if (progress.told > 0) expect(ids.length).toBe(4);
      const next = await (await board(disk)).add({ title: 'next' }, 'ada');
      expect(ids).not.toContain(next.id);
    },
  });
});

test('a full disk leaves the old ticket, and the board goes on', async () => {
  const disk = new SimDisk();
  const used = await board(disk);
  await used.add({ title: 'one' }, 'ada');
  disk.room(10);
  await expect(used.comment('1', 'words', 'ada')).rejects.toMatchObject({ code: 'disk_full' });
  disk.room(null);
  expect((await used.get('1')).comments).toEqual([]);
  expect((await used.comment('1', 'words', 'ada')).changed).toBe(true);
});

test('an import that a full disk cut short is completed by the next call', async () => {
  const disk = new SimDisk();
  const used = await board(disk);
  disk.failNext('remove', 'disk_failed');
  await expect(used.import('- [ ] one\n- [ ] two', 'a.md', 'ada')).rejects.toMatchObject({
    code: 'disk_failed',
  });
  expect((await used.list()).tickets.map(({ title }) => title)).toEqual(['one', 'two']);
  expect(await disk.list('/home/boards')).toHaveLength(1);
  const again = await used.import('- [ ] one\n- [ ] two', 'a.md', 'ada');
  expect(again).toMatchObject({ created: [], skipped: [{ title: 'one' }, { title: 'two' }] });
});

test('a completed import never comes back', async () => {
  const disk = new SimDisk();
  await disk.makeDirectory('/home');
  await disk.syncDirectory('/');
  const { created } = await (await board(disk)).import('- [ ] one\n- [ ] two', 'a.md', 'ada');
  const [key] = await disk.list('/home/boards');
  const tickets = `/home/boards/${key}/tickets`;
  await disk.remove(`${tickets}/HB-1.json`);
  await disk.syncDirectory(tickets);
  expect((await all(disk.crash({ seed: 0 }))).map(({ id }) => id)).toEqual(['HB-2']);
  expect(created).toHaveLength(2);
});

test('completing an import leaves the tickets as they are that it had already written', async () => {
  const disk = new SimDisk();
  const used = await board(disk);
  const { created } = await used.import('- [ ] one', 'a.md', 'ada');
  await used.comment('1', 'words', 'ada');
  const [key] = await disk.list('/home/boards');
  const pending = JSON.stringify({ format: 1, tickets: created });
  await disk.write(`/home/boards/${key}/import.json`, new TextEncoder().encode(pending));
  expect((await all(disk))[0]!.comments).toHaveLength(1);
});
