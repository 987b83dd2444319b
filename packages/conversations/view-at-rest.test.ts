import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { SimDisk } from '@hearth/store/sim-disk.ts';
import { expect, it, vi } from 'vitest';
import { HomeStore } from './home-store.ts';
import { done, message, type Sample, type Script, session, started } from './testing/sample-home.ts';

/* How a conversation stands, as the list and the service see it after a start, without opening what rests. */

const asking: Script = async function* (turn) {
  yield session;
  if (turn.answers.length === 0)
    yield { type: 'parked', asks: [{ text: 'Which?', options: [], allowFreeText: true }], permits: [] };
  else yield done('so');
};

/** A home whose default conversation waits for an answer. */
async function waiting(): Promise<{ home: Sample; id: ConversationId }> {
  const home = await started({ script: asking });
  const id = await home.conversations.default();
  const lane = await home.conversations.lane(id);
  await lane.send(message('ask'));
  await lane.settled();
  return { home, id };
}

/** Answers the question, and the power fails before there is a snapshot of what followed. */
async function answered({ home, id }: { home: Sample; id: ConversationId }): Promise<SimDisk> {
  const lane = await home.conversations.lane(id);
  const [pause] = lane.view().pauses;
  const { commandId, actor } = message('');
  home.disk.failNext('rename', 'disk_failed');
  await lane.decide({ commandId, actor, pause: pause!.id, act: { do: 'answer', text: 'this' } });
  await lane.settled();
  return home.disk.crash({ seed: 1 });
}

it('is told of one at rest as opening it would, and nothing is opened for it', async () => {
  const { home, id } = await waiting();
  await home.conversations.closeAll();
  const again = await started({ disk: home.disk, script: asking });
  const opened = vi.spyOn(HomeStore.prototype, 'open');
  const view = await again.conversations.view(id);
  expect(opened).not.toHaveBeenCalled();
  opened.mockRestore();
  expect(view.state).toBe('waiting');
  expect(view).toEqual((await again.conversations.lane(id)).view());
});

it('is not read from a snapshot of which the journal tells more', async () => {
  const found = await waiting();
  const disk = await answered(found);
  const unopened = new HomeStore({ disk, clock: found.home.clock, home: '/hearth' });
  expect(await unopened.viewAtRest(found.id)).toBeNull();
  expect(await unopened.viewAtRest('c_01jd0000000000000000000009')).toBeNull();
  const { conversations } = await started({ disk, script: asking });
  expect((await conversations.view(found.id)).state).toBe('idle');
});

it('the first list after a stop tells what the journal tells, and not what the snapshot told before', async () => {
  const disk = await answered(await waiting());
  const { conversations } = await started({ disk, script: asking });
  expect((await conversations.list({})).rows).toMatchObject([{ state: 'idle' }]);
  expect((await conversations.list({ state: 'waiting' })).rows).toEqual([]);
});
