import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import type { Lane } from './lane.ts';
import {
  done,
  message,
  type Sample,
  type Script,
  session,
  started,
  textOfFile,
} from './testing/sample-home.ts';

/* When a conversation that rests writes its state as a snapshot, and what it is where it has not come to that. */

const moment = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

const asks: Script = async function* () {
  yield session;
  yield { type: 'parked', asks: [{ text: 'Sure?', options: [], allowFreeText: true }], permits: [] };
};

async function stage(options: Parameters<typeof started>[0] = {}) {
  const home = await started(options);
  const id = await home.conversations.default();
  const lane = await home.conversations.lane(id);
  const root = `/hearth/conversations/${id}/epochs/1`;
  const snapshot = async (): Promise<{ generation: number; commit: number }> =>
    JSON.parse(await textOfFile(home.disk, `${root}/snapshot.json`));
  const journals = async (): Promise<string[]> =>
    (await home.disk.list(root)).filter(name => name.startsWith('journal.'));
  return { ...home, id, lane, snapshot, journals };
}

/** Sends a message and waits until nothing runs, without asking for anything to be written. */
async function turn(lane: Lane, text = 'one'): Promise<void> {
  await lane.send(message(text));
  await expect.poll(() => lane.view().state).not.toBe('working');
}

/** The power fails. */
async function failed({ disk }: Sample): Promise<Sample> {
  return started({ disk: disk.crash({ seed: 0 }), script: asks });
}

describe('a conversation that rests', () => {
  it('takes one snapshot for turns that were close together, a moment after the last one at most', async () => {
    const { lane, clock, snapshot, journals } = await stage();
    const { generation } = await snapshot();
    await turn(lane);
    await turn(lane);
    expect(await snapshot()).toMatchObject({ generation });
    clock.advance(1000);
    await expect.poll(snapshot).toMatchObject({ generation: generation + 1, commit: lane.view().revision });
    expect(await journals()).toEqual([`journal.${generation + 1}.jsonl`]);
    clock.advance(60_000);
    await moment();
    expect(await snapshot()).toMatchObject({ generation: generation + 1 });
    expect(clock.timers).toBe(0);
  });

  it('takes it a moment after the last turn and not after the first, whose snapshot the second would wait for', async () => {
    const { lane, clock, snapshot } = await stage();
    const { generation } = await snapshot();
    await turn(lane);
    clock.advance(900);
    await turn(lane);
    clock.advance(900);
    for (let n = 0; n < 20; n += 1) await moment();
    expect(await snapshot()).toMatchObject({ generation });
    clock.advance(100);
    await expect.poll(snapshot).toMatchObject({ generation: generation + 1, commit: lane.view().revision });
  });

  it('takes it at once when much was said', async () => {
    const { lane, snapshot } = await stage();
    const { generation } = await snapshot();
    await turn(lane);
    expect(await snapshot()).toMatchObject({ generation });
    await turn(lane, 'x'.repeat(40_000));
    await expect.poll(snapshot).toMatchObject({ generation: generation + 1 });
  });

  it('has it taken by whoever closes it', async () => {
    const { conversations, lane, snapshot, journals } = await stage();
    await turn(lane);
    const { revision } = lane.view();
    await conversations.closeAll();
    expect(await snapshot()).toMatchObject({ commit: revision });
    expect(await journals()).toHaveLength(1);
  });

  it('takes none while a turn runs', async () => {
    const answer = Promise.withResolvers<void>();
    let turns = 0;
    const { lane, clock, snapshot } = await stage({
      async *script() {
        turns += 1;
        yield session;
        if (turns === 2) await answer.promise;
        yield done('ok');
      },
    });
    const { generation } = await snapshot();
    await turn(lane);
    await lane.send(message('two'));
    clock.advance(1000);
    for (let n = 0; n < 20; n += 1) await moment();
    expect(await snapshot()).toMatchObject({ generation });
    answer.resolve();
    await lane.settled();
    expect(await snapshot()).toMatchObject({ commit: lane.view().revision });
  });
});

describe('a conversation that had no moment of rest before the power failed', () => {
  it('is listed as it was, and takes its snapshot then', async () => {
    const home = await stage({ script: asks });
    await turn(home.lane);
    expect(home.lane.view().state).toBe('waiting');
    const { commit } = await home.snapshot();
    expect(commit).toBeLessThan(home.lane.view().revision);
    const next = await failed(home);
    expect((await next.conversations.list({})).rows).toMatchObject([{ state: 'waiting' }]);
    const lane = await next.conversations.lane(home.id);
    expect(lane.view()).toEqual(home.lane.view());
    next.clock.advance(1000);
    const path = `/hearth/conversations/${home.id}/epochs/1/snapshot.json`;
    await expect
      .poll(async () => JSON.parse(await textOfFile(next.disk, path)))
      .toMatchObject({ commit: lane.view().revision });
  });
});

describe('the directory of a backend', () => {
  it('gets its name for sure once, and anew when somebody removed it', async () => {
    const disk = new SimDisk();
    const { lane, id } = await stage({ disk });
    const backend = `/hearth/conversations/${id}/epochs/1/backend`;
    const synced: string[] = [];
    const sync = disk.syncDirectory.bind(disk);
    disk.syncDirectory = path => {
      synced.push(path);
      return sync(path);
    };
    await turn(lane);
    await turn(lane);
    expect(synced.filter(path => path === backend)).toHaveLength(1);
    await disk.remove(`${backend}/bot`);
    await turn(lane);
    expect(synced.filter(path => path === backend)).toHaveLength(2);
    expect((await disk.stat(`${backend}/bot`))?.kind).toBe('directory');
  });
});
