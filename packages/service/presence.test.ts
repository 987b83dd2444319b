import { HomeStore } from '@hearth/conversations/home-store.ts';
import { PresenceLine } from '@hearth/conversations/presence.ts';
import { type Sample, HOME, message, sample, textOfFile } from '@hearth/conversations/testing/sample-home.ts';
import type { PauseId } from '@hearth/protocol/ids.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, test, vi } from 'vitest';
import { PresenceLog, presencePath } from './presence.ts';

/* What is noted of conversations over starts, stops and crashes, and who is called for it. */

const PATH = presencePath(HOME);
const failing: string[] = [];

interface Watched extends Sample {
  readonly presence: PresenceLog;
  /** The pauses that a person was called for. */
  readonly called: PauseId[];
  /** Lets pass what changes are gathered over, and what they cause. */
  pass(): Promise<void>;
  end(): Promise<void>;
}

/** A question to each message, and an answer to each answer. */
async function watched(
  disk: SimDisk,
  clock = new SimClock(),
  quiet = { moment: () => Promise.resolve() },
): Promise<Watched> {
  const home = sample({
    disk,
    clock,
    async *script(turn) {
      yield { type: 'session', id: 's', fingerprint: 'f', how: 'opened' };
      if (turn.prompt.user.includes('ask') && turn.answers.length === 0)
        yield { type: 'parked', asks: [{ text: 'Which?', options: [], allowFreeText: true }], permits: [] };
      else yield { type: 'done', output: { reply: 'so', close: false, quick_replies: [] }, text: 'so' };
    },
  });
  const { conversations } = home;
  await conversations.initialise();
  const called: PauseId[] = [];
  const log = { write: (event: string) => void failing.push(event), close: () => Promise.resolve() };
  const onCall = (_: object, what: { pause: PauseId }): void => void called.push(what.pause);
  const presence = await PresenceLog.open({ disk, home: HOME, clock, log, conversations, quiet, onCall });
  await conversations.resume();
  await presence.catchUp();
  const pass = async (): Promise<void> => {
    clock.advance(60_000);
    for (let turns = 0; turns < 50; turns += 1) await new Promise(resolve => setImmediate(resolve));
  };
  const end = async (): Promise<void> => {
    await presence.close();
    await conversations.closeAll();
  };
  return { ...home, presence, called, pass, end };
}

const laneOf = async ({ conversations }: Sample) => conversations.lane(await conversations.default());
const say = async (home: Watched, text: string): Promise<void> => {
  const lane = await laneOf(home);
  await lane.send(message(text));
  await lane.settled();
};
const linesOn = async (disk: SimDisk): Promise<PresenceLine[]> =>
  (await textOfFile(disk, PATH))
    .split('\n')
    .slice(0, -1)
    .map(line => PresenceLine.parse(JSON.parse(line)));

/** A disk with a conversation that waits, at rest, whose person was called; and the pause. */
async function waiting(): Promise<{ disk: SimDisk; pause: PauseId }> {
  const disk = new SimDisk();
  const home = await watched(disk);
  await say(home, 'ask');
  await home.pass();
  await home.end();
  const [pause = 'p0'] = home.called;
  return { disk: disk.crash({ seed: 1 }), pause };
}

describe('at the next start', () => {
  test('who was called for a pause is not called again', async () => {
    const { disk } = await waiting();
    const home = await watched(disk);
    await home.pass();
    expect(home.called).toEqual([]);
    await home.end();
  });

  test('a conversation at rest that waits and was never noted is noted, and its person called, once', async () => {
    const { disk, pause } = await waiting();
    await disk.remove(PATH);
    const home = await watched(disk);
    await home.pass();
    expect(home.called).toEqual([pause]);
    expect(await linesOn(disk)).toMatchObject([{ is: 'waiting_user', pause, kind: 'question' }]);
    await home.end();

    const again = await watched(disk.crash({ seed: 0 }));
    await again.pass();
    expect(again.called).toEqual([]);
    await again.end();
  });

  test('a pause that opened after the last note is called for', async () => {
    const { disk, pause } = await waiting();
    // The service died before anything of this was noted.
    const unnoted = await watched(disk, new SimClock(Date.UTC(2026, 0, 2)));
    const lane = await laneOf(unnoted);
    const { commandId, actor } = message('');
    await lane.decide({ commandId, actor, pause, act: { do: 'answer', text: 'this' } });
    await lane.settled();
    await say(unnoted, 'ask again');
    await unnoted.conversations.closeAll();
    expect((await linesOn(disk)).at(-1)).toMatchObject({ pause });

    const home = await watched(disk.crash({ seed: 1 }), new SimClock(Date.UTC(2026, 0, 3)));
    await home.pass();
    expect(home.called).toHaveLength(1);
    expect(home.called).not.toContain(pause);
    await home.end();
  });

  test('what a stop did not come to note is noted by the next one, and nothing is opened for either', async () => {
    const { disk } = await waiting();
    const full = await watched(disk);
    const all = [await full.conversations.default()];
    for (let n = 0; n < 40; n += 1) {
      const { commandId, actor } = message('');
      const made = { commandId, actor, scope: { kind: 'global' }, title: `No ${n}` } as const;
      const { view } = await full.conversations.create(made);
      const lane = await full.conversations.lane(view.id);
      await lane.send(message('ask'));
      await lane.settled();
      all.push(view.id);
    }
    await full.end();
    await disk.remove(PATH);
    const opened = vi.spyOn(HomeStore.prototype, 'open');
    const hasty = await watched(disk);
    await hasty.presence.close();
    await hasty.pass();
    await hasty.conversations.closeAll();
    const noted = await linesOn(disk);
    expect(noted.length).toBeLessThan(all.length);
    expect(hasty.called).toHaveLength(noted.length);
    const home = await watched(disk);
    await home.pass();
    await home.end();
    expect(opened).not.toHaveBeenCalled();
    opened.mockRestore();
    expect((await linesOn(disk)).map(line => line.conversation).toSorted()).toEqual(all.toSorted());
  });

  test('what changed while nobody watched is noted when nobody waits for the service, what changes now at once', async () => {
    const { disk, pause } = await waiting();
    await disk.remove(PATH);
    const { promise, resolve } = Promise.withResolvers<void>();
    const home = await watched(disk, new SimClock(), { moment: () => promise });
    await home.pass();
    expect(home.called).toEqual([]);
    const { commandId, actor } = message('');
    const { view } = await home.conversations.create({ commandId, actor, scope: { kind: 'global' } });
    await home.pass();
    expect(await linesOn(disk)).toMatchObject([{ conversation: view.id, is: 'idle' }]);
    resolve();
    await home.pass();
    expect(home.called).toEqual([pause]);
    await home.end();
  });

  test('one that went while nobody noted it is noted as gone', async () => {
    const { disk } = await waiting();
    const gone = 'c_01jd0000000000000000000009';
    const line = { v: 1, at: '2026-01-01T00:00:00.000Z', conversation: gone, is: 'idle', called: 2 };
    await disk.write(
      PATH,
      new TextEncoder().encode(`${await textOfFile(disk, PATH)}${JSON.stringify(line)}\n`),
    );
    const home = await watched(disk);
    await home.pass();
    await home.end();
    expect((await linesOn(disk)).at(-1)).toMatchObject({ conversation: gone, is: 'gone', called: 2 });
  });
});

test('the file is written anew while the service runs, with the last line of each conversation', async () => {
  const { disk, pause } = await waiting();
  const [first] = await linesOn(disk);
  const old = {
    ...first,
    conversation: 'c_01jd0000000000000000000009',
    is: 'gone',
    at: '2025-01-01T00:00:00.000Z',
  };
  const filler = `${JSON.stringify(old)}\n`;
  const before = await textOfFile(disk, PATH);
  const times = Math.floor((256 * 1024 - before.length) / filler.length);
  await disk.write(PATH, new TextEncoder().encode(filler.repeat(times) + before));
  const home = await watched(disk);
  const lane = await laneOf(home);
  const { commandId, actor } = message('');
  await lane.decide({ commandId, actor, pause, act: { do: 'answer', text: 'this' } });
  await lane.settled();
  await home.pass();
  expect(await linesOn(disk)).toMatchObject([{ is: 'idle', called: Number(pause.slice(1)) }]);
  await say(home, 'ask');
  await home.pass();
  await home.end();
  expect((await linesOn(disk)).map(line => line.is)).toEqual(['idle', 'waiting_user']);
  expect(home.called).toHaveLength(1);
  expect(failing).toEqual([]);
});
