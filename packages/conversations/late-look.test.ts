import type { ConversationId } from '@hearth/protocol/ids.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import { ada, done, HOME, message, type Sample, sample, session, started } from './testing/sample-home.ts';

/* What comes while a start has not yet read, looked at, and opened everything. */

const bare = () => ({ commandId: message('').commandId, actor: ada });
const limits = { conversations: 1, days: 30, bytes: 1_000_000 };
const retention = { limits, trash: { days: 7, bytes: 1_000_000 } };

async function* stuck() {
  yield session;
  await new Promise<never>(() => undefined);
  yield done('');
}

async function made({ conversations, clock }: Sample, count: number): Promise<readonly ConversationId[]> {
  const ids: ConversationId[] = [];
  for (let n = 0; n < count; n += 1) {
    clock.advance(1);
    const { view } = await conversations.create({ ...bare(), scope: { kind: 'global' }, title: `no ${n}` });
    ids.push(view.id);
  }
  return ids;
}

/** Sends it a message whose turn never ends. */
async function work({ conversations }: Sample, id: ConversationId): Promise<void> {
  const lane = await conversations.lane(id);
  await lane.send(message('work'));
  await expect.poll(() => lane.view().state).toBe('working');
}

/** The next service of a home whose last one was killed; it has resumed nothing yet. */
async function next(disk: SimDisk, options: Parameters<typeof sample>[0] = {}): Promise<Sample> {
  const home = sample({ ...options, disk });
  await home.conversations.initialise();
  return home;
}

describe('a start that is not over', () => {
  it('opens what turns out to have been at work, whoever asked for the look first', async () => {
    const first = await started({ script: stuck });
    const ids = await made(first, 70);
    await first.conversations.closeAll();
    const second = await started({ disk: first.disk, script: stuck });
    await second.conversations.plan();
    const [id] = ids as [ConversationId];
    await work(second, id);
    // A loss of power takes what was not synced.
    await first.disk.write(`${HOME}/behind.txt`, new Uint8Array());
    const third = await next(first.disk);
    const plan = third.conversations.plan();
    await third.conversations.resume();
    await plan;
    const { rows } = await third.conversations.list({});
    expect(rows.find(row => row.id === id)).toMatchObject({ state: 'waiting' });
  });

  it('does not take one for the default that only was it when the index was written', async () => {
    const first = await started();
    const [id] = (await made(first, 70)) as [ConversationId];
    await first.conversations.closeAll();
    const second = await started({ disk: first.disk });
    await second.conversations.plan();
    await second.conversations.makeDefault(id);
    await second.conversations.closeAll();
    await first.disk.write(`${HOME}/behind.txt`, new Uint8Array());
    const third = await next(first.disk);
    expect(await third.conversations.default()).toBe(id);
    const fourth = await next(first.disk);
    await fourth.conversations.makeDefault(id);
    expect((await fourth.conversations.list({})).rows.filter(row => row.isDefault)).toHaveLength(1);
  });

  it('has nothing removed that was at work and is not open yet', async () => {
    const first = await started({ script: stuck });
    const ids = await made(first, 20);
    for (const id of ids) await work(first, id);
    const second = await next(first.disk, { retention });
    const resumed = second.conversations.resume();
    const report = await second.conversations.retain();
    await resumed;
    expect(await second.conversations.trash()).toEqual([]);
    expect(report.choices.filter(choice => choice.remove)).toEqual([]);
    expect((await second.conversations.list({})).rows.filter(row => row.state === 'waiting')).toHaveLength(
      20,
    );
  });
});
