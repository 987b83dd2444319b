import type { ConversationId } from '@hearth/protocol/ids.ts';
import { enumerateCrashes } from '@hearth/store/enumerate-crashes.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import type { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, it } from 'vitest';
import { homeDirectory } from './conversation-directory.ts';
import { Quarantine } from './quarantine.ts';
import { bringBack, conversationsSetAside } from './returning.ts';
import { ada, HOME, message, started } from './testing/sample-home.ts';

const home = homeDirectory(HOME);
const contextOf = (disk: SimDisk) => {
  const clock = new SimClock();
  return { disk, home, clock, quarantine: new Quarantine(disk, home.quarantine, clock) };
};
const said = message('before');

/** A home whose other conversation lies in quarantine, its record cut short. */
async function aside(disk: SimDisk): Promise<ConversationId> {
  const { conversations, store } = await started({ disk });
  const { commandId, actor } = message('');
  const { view } = await conversations.create({
    commandId,
    actor,
    scope: { kind: 'global' },
    title: 'Other',
  });
  const lane = await conversations.lane(view.id);
  await lane.send(said);
  await lane.settled();
  await conversations.closeAll();
  await store.setAside(view.id, 'It was not wanted there.');
  const [one] = await conversationsSetAside(disk, home);
  await disk.write(`${one!.root}/conversation.json`, new TextEncoder().encode('{"format":1'));
  return view.id;
}

it('a conversation in quarantine is there or in its place, whole, whatever stops its way back', async () => {
  let id: ConversationId | null = null;
  const places = new Set<string>();
  await enumerateCrashes<{ done: boolean }>({
    setup: async disk => {
      id = await aside(disk);
    },
    progress: () => ({ done: false }),
    async act(disk, progress) {
      const [one] = await conversationsSetAside(disk, home);
      expect(await bringBack(contextOf(disk), one!)).toBeNull();
      progress.done = true;
    },
    async check(disk, { done }) {
      const found = (await conversationsSetAside(disk, home)).filter(one => one.id === id);
      if (done) expect(found).toEqual([]);
      places.add(found.length === 0 ? 'back' : 'aside');
      for (const one of found) expect(await bringBack(contextOf(disk), one)).toBeNull();
      const { conversations } = await started({ disk });
      const lane = await conversations.lane(id!);
      expect(lane.view()).toMatchObject({ title: 'Other', isDefault: false });
      expect(await lane.send(said)).toMatchObject({ replayed: true });
      expect((await conversations.list({})).rows).toHaveLength(2);
      await conversations.closeAll();
    },
    seeds: [0, 3],
  });
  expect(places).toEqual(new Set(['aside', 'back']));
});

it('one that lay in the trash goes back to the trash, and can be restored', async () => {
  const { conversations, disk } = await started();
  const { commandId, actor } = message('');
  const { view } = await conversations.create({
    commandId,
    actor,
    scope: { kind: 'global' },
    title: 'Other',
  });
  await conversations.close(view.id, { commandId: message('').commandId, actor: ada });
  const [entry] = await conversations.trash();
  await contextOf(disk).quarantine.move(`${home.trash}/${entry!.name}`, 'It was damaged.');
  const [one] = await conversationsSetAside(disk, home);
  expect(await bringBack(contextOf(disk), one!)).toBeNull();
  const again = await started({ disk });
  expect((await again.conversations.trash()).map(({ name }) => name)).toEqual([entry!.name]);
  const back = await again.conversations.restore(view.id, { commandId: message('').commandId, actor: ada });
  expect(back.view).toMatchObject({ id: view.id, title: 'Other' });
});

it('an entry of the trash that lost its note or its record is listed and can be restored', async () => {
  for (const file of ['trash.json', 'conversation.json', 'epochs/1/snapshot.json']) {
    const { conversations, disk } = await started();
    const { commandId, actor } = message('');
    const { view } = await conversations.create({
      commandId,
      actor,
      scope: { kind: 'global' },
      title: 'Other',
    });
    await conversations.close(view.id, { commandId: message('').commandId, actor: ada });
    const [entry] = await conversations.trash();
    await disk.write(`${home.trash}/${entry!.name}/${file}`, new Uint8Array(7));
    const again = await started({ disk });
    expect(await again.conversations.trash()).toMatchObject([{ title: 'Other', at: entry!.at }]);
    const back = await again.conversations.restore(view.id, { commandId: message('').commandId, actor: ada });
    expect(back.view).toMatchObject({ id: view.id, title: 'Other' });
  }
});
