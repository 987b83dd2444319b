import type { Bare } from '@hearth/protocol/command.ts';
import { parseCursor } from '@hearth/protocol/cursor.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import { enumerateCrashes } from '@hearth/store/enumerate-crashes.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import type { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import type { Lane } from './lane.ts';
import { DAY_MS } from './retention.ts';
import { ada, HOME, message, type Sample, started } from './testing/sample-home.ts';

/*
 * Reset, rename, close, restore and prune, stopped before every call to the disk. Afterwards a conversation is as it was
 * before or as it was to be, its receipts are there, and nothing lies on the disk that belongs to nobody.
 */

async function untilStopped(disk: SimDisk, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (disk.stoppedBefore === null) throw thrown;
  }
}

const bare = (): Bare => ({ commandId: message('').commandId, actor: ada });

async function eventsOf(lane: Lane) {
  const page = await lane.page(null, 500);
  if ('code' in page) throw new Error(page.code);
  return page.events;
}

/** A home with a second conversation in which something was said. */
async function talked(
  disk: SimDisk,
  clock = new SimClock(),
): Promise<{ id: ConversationId; said: ReturnType<typeof message> }> {
  const { conversations } = await started({ disk, clock });
  const { view } = await conversations.create({ ...bare(), scope: { kind: 'global' }, title: 'Other' });
  const said = message('before');
  const lane = await conversations.lane(view.id);
  await lane.send(said);
  await lane.settled();
  await conversations.closeAll();
  return { id: view.id, said };
}

/** Every directory of the home is a conversation's, in its place or in the trash, whole. */
async function tidy(disk: SimDisk, { conversations }: Sample): Promise<void> {
  const { rows, damaged } = await conversations.list({});
  expect(damaged).toEqual([]);
  expect((await disk.list(`${HOME}/conversations`)).toSorted()).toEqual(rows.map(row => row.id).toSorted());
  const trash = await conversations.trash();
  expect((await disk.list(`${HOME}/trash`)).toSorted()).toEqual(trash.map(entry => entry.name).toSorted());
  expect(await disk.list(`${HOME}/quarantine`)).toEqual([]);
  for (const { id } of rows) {
    const epochs = (await disk.list(`${HOME}/conversations/${id}/epochs`)).map(Number);
    const lane = await conversations.lane(id);
    const current = parseCursor(lane.view().head)?.epoch ?? 0;
    expect(Math.max(...(await disk.list(`${HOME}/conversations/${id}/epochs`)).map(Number))).toBe(current);
    expect(epochs).toHaveLength(current);
  }
}

interface Done {
  reply: Reply | null;
}
const nothing = (): Done => ({ reply: null });

describe('a reset that is cut short', () => {
  it('leaves the old epoch or the new one, whole, with every receipt and no number twice', async () => {
    const command = bare();
    let ground: Awaited<ReturnType<typeof talked>> | null = null;
    const outcomes = new Set<number>();
    const { calls } = await enumerateCrashes<Done & { cursors: Map<number, string> }>({
      setup: async disk => {
        ground = await talked(disk);
      },
      progress: () => ({ ...nothing(), cursors: new Map() }),
      act: (disk, progress) =>
        untilStopped(disk, async () => {
          const { conversations } = await started({ disk });
          const lane = await conversations.lane(ground!.id);
          await lane.attach(null, frame => {
            if (frame.frame === 'event') progress.cursors.set(frame.event.seq, frame.cursor);
          });
          progress.reply = await conversations.reset(ground!.id, command);
          await conversations.closeAll();
        }),
      async check(disk, { reply, cursors }) {
        const home = await started({ disk });
        const { id, said } = ground!;
        const lane = await home.conversations.lane(id);
        const { head, run, title } = lane.view();
        const { epoch, seq } = parseCursor(head)!;
        outcomes.add(epoch);
        if (reply !== null) expect(epoch).toBe(2);
        expect(title).toBe('Other');
        expect(run === null).toBe(epoch === 2);
        expect(await lane.send(said)).toMatchObject({ replayed: true });
        for (const [at, cursor] of cursors) {
          if (parseCursor(cursor)!.epoch === epoch) {
            expect((await eventsOf(lane)).find(({ event }) => event.seq === at)?.cursor).toBe(cursor);
          } else {
            expect(at).toBeLessThanOrEqual(seq);
            expect(await lane.page(cursor, 10)).toMatchObject({ code: 'epoch_changed' });
          }
        }
        // The same command again is done once, whatever became of the first.
        const again = await home.conversations.reset(id, command);
        if (epoch === 2) expect(again.replayed).toBe(true);
        if (reply !== null) expect(again.receipt).toEqual(reply.receipt);
        expect(parseCursor(again.view.head)!.epoch).toBe(2);
        const events = await eventsOf(lane);
        const resets = events.filter(
          ({ event }) => event.type === 'conversation' && event.change === 'reset',
        );
        expect(resets).toHaveLength(1);
        await tidy(disk, home);
      },
      seeds: [0, 2, 5],
    });
    expect(calls).toBeGreaterThan(40);
    expect(outcomes).toEqual(new Set([1, 2]));
  });
});

describe('a rename that is cut short', () => {
  it('is done or not, is told once if it is, and can be sent again', async () => {
    const command = { ...bare(), title: 'Renamed' };
    let id: ConversationId | null = null;
    const titles = new Set<string>();
    await enumerateCrashes<Done>({
      setup: async disk => {
        ({ id } = await talked(disk));
      },
      progress: nothing,
      act: (disk, progress) =>
        untilStopped(disk, async () => {
          const { conversations } = await started({ disk });
          progress.reply = await conversations.change(id!, command);
          await conversations.closeAll();
        }),
      async check(disk, { reply }) {
        const home = await started({ disk });
        const row = (await home.conversations.list({})).rows.find(one => one.id === id);
        titles.add(row?.title ?? '');
        if (reply !== null) expect(row?.title).toBe('Renamed');
        const again = await home.conversations.change(id!, command);
        if (reply !== null) expect(again).toMatchObject({ replayed: true, receipt: reply.receipt });
        expect(again.view.title).toBe('Renamed');
        const events = await eventsOf(await home.conversations.lane(id!));
        const told = events.filter(
          ({ event }) => event.type === 'conversation' && event.change === 'renamed',
        );
        expect(told).toHaveLength(1);
        await tidy(disk, home);
      },
      seeds: [0, 2, 5],
    });
    expect(titles).toEqual(new Set(['Other', 'Renamed']));
  });
});

describe('a close that is cut short', () => {
  it('leaves the conversation in its place or in the trash, and the same command finishes it', async () => {
    const command = bare();
    let id: ConversationId | null = null;
    const places = new Set<string>();
    await enumerateCrashes<Done>({
      setup: async disk => {
        ({ id } = await talked(disk));
      },
      progress: nothing,
      act: (disk, progress) =>
        untilStopped(disk, async () => {
          const { conversations } = await started({ disk });
          progress.reply = await conversations.close(id!, command);
        }),
      async check(disk, { reply }) {
        const home = await started({ disk });
        const here = (await home.conversations.list({})).rows.some(row => row.id === id);
        const there = (await home.conversations.trash()).some(entry => entry.conversation === id);
        expect(here).toBe(!there);
        places.add(here ? 'here' : 'trash');
        if (reply !== null) expect(there).toBe(true);
        const again = await home.conversations.close(id!, command);
        expect(again.replayed).toBe(there);
        if (reply !== null) expect(again.receipt).toEqual(reply.receipt);
        await tidy(disk, home);
      },
      seeds: [0, 2, 5],
    });
    expect(places).toEqual(new Set(['here', 'trash']));
  });
});

describe('a restore that is cut short', () => {
  it('leaves the conversation in the trash or in its place, where its log tells of it once', async () => {
    const command = bare();
    let ground: Awaited<ReturnType<typeof talked>> | null = null;
    const places = new Set<string>();
    await enumerateCrashes<Done>({
      setup: async disk => {
        ground = await talked(disk);
        const { conversations } = await started({ disk });
        await conversations.close(ground.id, bare());
        await conversations.closeAll();
      },
      progress: nothing,
      act: (disk, progress) =>
        untilStopped(disk, async () => {
          const { conversations } = await started({ disk });
          progress.reply = await conversations.restore(ground!.id, command);
          await conversations.closeAll();
        }),
      async check(disk, { reply }) {
        const { id, said } = ground!;
        const home = await started({ disk });
        const there = (await home.conversations.trash()).some(entry => entry.conversation === id);
        places.add(there ? 'trash' : 'here');
        if (reply !== null) expect(there).toBe(false);
        const again = await home.conversations.restore(id, command);
        expect(again.replayed).toBe(!there);
        if (reply !== null) expect(again.receipt).toEqual(reply.receipt);
        const lane = await home.conversations.lane(id);
        const events = await eventsOf(lane);
        const told = events.filter(
          ({ event }) => event.type === 'conversation' && event.change === 'restored',
        );
        expect(told).toHaveLength(1);
        expect(await lane.send(said)).toMatchObject({ replayed: true });
        await home.conversations.closeAll();
        const later = await started({ disk });
        expect(await eventsOf(await later.conversations.lane(id))).toEqual(events);
        await tidy(disk, later);
      },
      seeds: [0, 2, 5],
    });
    expect(places).toEqual(new Set(['here', 'trash']));
  });
});

describe('a pass of retention that is cut short', () => {
  it('has moved each conversation or left it, removes nothing that is protected, and goes on at the next', async () => {
    const retention = {
      limits: { conversations: 2, days: 30, bytes: 1_000_000 },
      trash: { days: 7, bytes: 1_000_000 },
    };
    const counts = new Set<number>();
    let now = 0;
    await enumerateCrashes<{ done: boolean }>({
      setup: async disk => {
        const clock = new SimClock();
        const { conversations } = await started({ disk, clock });
        for (const title of ['old', 'older']) {
          await conversations.create({ ...bare(), scope: { kind: 'global' }, title });
        }
        // One that lies in the trash for too long.
        const { view } = await conversations.create({ ...bare(), scope: { kind: 'global' }, title: 'gone' });
        await conversations.close(view.id, bare());
        clock.advance(40 * DAY_MS);
        const kept = await conversations.create({ ...bare(), scope: { kind: 'global' }, title: 'pinned' });
        await conversations.change(kept.view.id, { ...bare(), pinned: true });
        await conversations.create({ ...bare(), scope: { kind: 'global' }, title: 'new' });
        now = clock.now();
        await conversations.closeAll();
      },
      progress: () => ({ done: false }),
      act: (disk, progress) =>
        untilStopped(disk, async () => {
          const { conversations } = await started({ disk, clock: new SimClock(now), retention });
          progress.done = (await conversations.retain()).failed.length === 0 && disk.stoppedBefore === null;
          await conversations.closeAll();
        }),
      async check(disk, { done }) {
        const home = await started({ disk, clock: new SimClock(now), retention });
        const titles = (await home.conversations.list({})).rows.map(row => row.title);
        expect(titles).toEqual(expect.arrayContaining(['Nexie', 'pinned', 'new']));
        counts.add(titles.length);
        if (done) expect(titles).toHaveLength(3);
        await home.conversations.retain();
        expect((await home.conversations.list({})).rows).toHaveLength(3);
        const trash = (await home.conversations.trash()).map(entry => entry.title);
        expect(trash.toSorted()).toEqual(['old', 'older']);
        expect((await home.conversations.retain()).choices.filter(choice => choice.remove)).toEqual([]);
        await tidy(disk, home);
      },
      seeds: [0, 2, 5],
    });
    expect(counts).toEqual(new Set([3, 4, 5]));
  });
});
