import type { BackendEvent } from '@hearth/engine/backend.ts';
import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import { parseCursor } from '@hearth/protocol/cursor.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { enumerateCrashes } from '@hearth/store/enumerate-crashes.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, it } from 'vitest';
import type { Lane } from './lane.ts';
import { processOn } from './testing/process.ts';
import {
  ada,
  botOf,
  HOME,
  message,
  type Sample,
  session,
  started,
  textOfFile,
} from './testing/sample-home.ts';
import { verifyConversation } from './verification.ts';

/* A conversation whose record or state is damaged comes back, with what was said and with nothing done twice. */

const bare = () => ({ commandId: message('').commandId, actor: ada });
const rootOf = (id: ConversationId): string => `${HOME}/conversations/${id}`;
const said = message('before');

async function eventsOf(lane: Lane) {
  const page = await lane.page(null, 500);
  if ('code' in page) throw new Error(page.code);
  return page.events;
}
const noticesOf = async (lane: Lane): Promise<string[]> =>
  (await eventsOf(lane)).flatMap(({ event }) => (event.type === 'notice' ? [event.code] : []));

/** A default conversation with a title of its own and a turn, in a home that is at rest. */
async function talked(disk: SimDisk): Promise<{ id: ConversationId; head: string }> {
  const { conversations } = await started({ disk });
  const id = await conversations.default();
  await conversations.change(id, { ...bare(), title: 'Mine', pinned: true });
  const lane = await conversations.lane(id);
  await lane.send(said);
  await lane.settled();
  const { head } = lane.view();
  await conversations.closeAll();
  return { id, head };
}

const half = (bytes: Uint8Array): Uint8Array => bytes.slice(0, bytes.length / 2);
const DAMAGES: Readonly<Record<string, (disk: SimDisk, path: string) => Promise<void>>> = {
  halved: async (disk, path) => disk.write(path, half((await disk.read(path)) ?? new Uint8Array())),
  emptied: (disk, path) => disk.write(path, new Uint8Array()),
  'filled with zeros': (disk, path) => disk.write(path, new Uint8Array(300)),
  gone: (disk, path) => disk.remove(path),
  'a directory': async (disk, path) => {
    await disk.remove(path);
    await disk.makeDirectory(path);
  },
};
const RECORD = (id: ConversationId): string => `${rootOf(id)}/conversation.json`;
const SNAPSHOT = (id: ConversationId): string => `${rootOf(id)}/epochs/1/snapshot.json`;

/** What holds whatever was damaged: it is the default, nothing is told twice, and everything goes on. */
async function goesOn(home: Sample, id: ConversationId): Promise<Lane> {
  const { conversations, store, disk } = home;
  expect(await conversations.default()).toBe(id);
  expect((await conversations.list({})).damaged.filter(one => one.inPlace)).toEqual([]);
  const lane = await conversations.lane(id);
  expect(await lane.send(said)).toMatchObject({ replayed: true });
  const words = (await lane.history(null, 10)).items;
  const before = parseCursor(lane.view().head)?.seq ?? 0;
  await lane.send(message('after'));
  await lane.settled();
  expect(lane.view()).toMatchObject({ isDefault: true, state: 'idle' });
  expect(parseCursor(lane.view().head)!.seq).toBeGreaterThan(before);
  expect(words.length).toBeGreaterThan(0);
  await conversations.closeAll();
  expect(await verifyConversation(disk, rootOf(id), id)).toEqual([]);
  const again = await started({ disk });
  expect(await noticesOf(await again.conversations.lane(id))).toHaveLength(1);
  await again.conversations.closeAll();
  expect((await store.quarantined()).every(({ why }) => why.length > 0)).toBe(true);
  return lane;
}

it.each(Object.keys(DAMAGES))('a record that is %s is made again, and nothing else is lost', async damage => {
  const disk = new SimDisk();
  const { id, head } = await talked(disk);
  await DAMAGES[damage]!(disk, RECORD(id));
  const home = await started({ disk });
  const lane = await home.conversations.lane(id);
  expect(await noticesOf(lane)).toEqual(['record_rebuilt']);
  expect(lane.view()).toMatchObject({ title: 'Mine', pinned: true, bot: 'whats-next', state: 'idle' });
  expect(await lane.page(head, 10)).toMatchObject({ events: [{ event: { type: 'notice' } }] });
  await goesOn(home, id);
});

it.each(Object.keys(DAMAGES))('a state that is %s begins anew, and no number comes twice', async damage => {
  const disk = new SimDisk();
  const { id, head } = await talked(disk);
  await DAMAGES[damage]!(disk, SNAPSHOT(id));
  const home = await started({ disk });
  const lane = await home.conversations.lane(id);
  expect(await noticesOf(lane)).toEqual(['state_lost']);
  expect(lane.view()).toMatchObject({ title: 'Mine', pinned: true, run: null, pauses: [] });
  expect(await lane.page(head, 10)).toMatchObject({ code: 'epoch_changed' });
  const events = await eventsOf(lane);
  expect(events[0]!.event.seq).toBe(parseCursor(head)!.seq + 1);
  await lane.send(message('next'));
  await lane.settled();
  const started_ = (await eventsOf(lane)).flatMap(({ event }) => (event.type === 'run' ? [event.run] : []));
  expect(started_).toEqual(['r2']);
  const older = await lane.history(events[0]!.event.seq, 10);
  expect(older.items.flatMap(line => (line.is === 'said' ? [line.text] : []))).toEqual(['before']);
  await goesOn(home, id);
});

it('both damaged: what the log tells is enough, and the default stays the default', async () => {
  const disk = new SimDisk();
  const { id } = await talked(disk);
  await DAMAGES['halved']!(disk, RECORD(id));
  await DAMAGES['halved']!(disk, SNAPSHOT(id));
  const home = await started({ disk });
  const lane = await home.conversations.lane(id);
  expect(lane.view()).toMatchObject({ title: 'Mine', pinned: true, isDefault: true });
  expect(await noticesOf(lane)).toEqual(['state_lost']);
  await goesOn(home, id);
});

it('what the journal alone held is kept, and what was not finished is named', async () => {
  const asked = message('a long task');
  const gate = Promise.withResolvers<void>();
  async function* script(): AsyncGenerator<BackendEvent> {
    yield session;
    await gate.promise;
  }
  const disk = new SimDisk();
  const first = await started({ disk, script });
  const id = await first.conversations.default();
  const lane = await first.conversations.lane(id);
  await lane.send(asked);
  // Only the journal is on the disk: no snapshot, no log, no words.
  const crashed = disk.crash({ seed: 0 });
  await crashed.remove(SNAPSHOT(id));
  const home = await started({ disk: crashed });
  const back = await home.conversations.lane(id);
  expect(await back.send(asked)).toMatchObject({ replayed: true });
  const notice = (await eventsOf(back)).find(({ event }) => event.type === 'notice')!.event;
  expect(notice).toMatchObject({
    code: 'state_lost',
    text: expect.stringContaining('the message "a long task"'),
  });
  const { items } = await back.history(parseCursor(back.view().head)!.seq, 10);
  expect(items[0]).toMatchObject({ is: 'said', text: 'a long task' });
  expect(home.backend.turns).toHaveLength(0);
  gate.resolve();
});

it('a plan that its bot gives no more: the conversation begins anew', async () => {
  const disk = new SimDisk();
  const { id } = await talked(disk);
  const plans = `${rootOf(id)}/epochs/1/plans`;
  for (const name of await disk.list(plans)) await disk.write(`${plans}/${name}`, new Uint8Array(9));
  const home = await started({ disk });
  home.bots.bots.set('whats-next', botOf(chatPlan({ cap: 7 })));
  const lane = await home.conversations.lane(id);
  expect(await noticesOf(lane)).toEqual(['state_lost']);
  await goesOn(home, id);
});

it('one that was written by a newer Hearth, and one of which nothing is left, are not touched', async () => {
  const disk = new SimDisk();
  const { id } = await talked(disk);
  await disk.write(RECORD(id), new TextEncoder().encode('{"format":2,"id":"x"}'));
  const home = await started({ disk });
  const [kept] = (await home.conversations.list({})).damaged;
  expect(await textOfFile(disk, `${HOME}/quarantine/${kept!.name}/${id}/conversation.json`)).toContain(
    '"format":2',
  );
});

it('a mending that is cut short anywhere is done again, and told once', async () => {
  let ground: { id: ConversationId; head: string } | null = null;
  const { calls } = await enumerateCrashes<{ cursors: Set<string> }>({
    async setup(disk) {
      ground = await talked(disk);
      for (const path of [RECORD, SNAPSHOT]) await DAMAGES['halved']!(disk, path(ground.id));
    },
    progress: () => ({ cursors: new Set() }),
    async act(disk, { cursors }) {
      const home = await started({ disk });
      const lane = await home.conversations.lane(ground!.id);
      await lane.ready();
      for (const { cursor } of await eventsOf(lane)) cursors.add(cursor);
      await home.conversations.closeAll();
    },
    async check(disk, { cursors }) {
      const { id, head } = ground!;
      const home = await started({ disk });
      expect(await home.conversations.default()).toBe(id);
      const lane = await home.conversations.lane(id);
      const events = await eventsOf(lane);
      const known = new Set(events.map(({ cursor }) => cursor));
      for (const cursor of cursors) expect(known).toContain(cursor);
      expect(events.filter(({ event }) => event.type === 'notice')).toHaveLength(1);
      expect(parseCursor(lane.view().head)!.seq).toBeGreaterThan(parseCursor(head)!.seq);
      expect(await lane.send(said)).toMatchObject({ replayed: true });
      const shown = await lane.history(parseCursor(head)!.seq + 1, 10);
      expect(shown.items.some(line => line.is === 'said' && line.text === 'before')).toBe(true);
      await home.conversations.closeAll();
      expect(await verifyConversation(disk, rootOf(id), id)).toEqual([]);
    },
    seeds: [0],
  });
  expect(calls).toBeGreaterThan(30);
}, 120_000);

it('receipts that the file holds are kept, though the journal’s line of the same command cannot be read', async () => {
  const disk = new SimDisk();
  const first = processOn(disk, 'rename', 'is killed');
  const home = await started({ disk: first.disk });
  const id = await home.conversations.default();
  const lane = await home.conversations.lane(id);
  const sent = [message('one'), message('two'), message('three')];
  for (const command of sent) await lane.send(command);
  first.fail(1, '.tmp');
  await Promise.race([lane.settled(), first.killed]);
  await disk.write(SNAPSHOT(id), new Uint8Array([1]));
  const journal = `${rootOf(id)}/epochs/1/journal.1.jsonl`;
  const [one, two, ...rest] = (await textOfFile(disk, journal)).split('\n');
  const lines = [one, two!.replace('"n":', '"m":'), ...rest];
  await disk.write(journal, new TextEncoder().encode(lines.join('\n')));
  const next = await (await started({ disk })).conversations.lane(id);
  for (const command of sent) expect(await next.send(command)).toMatchObject({ replayed: true });
});
