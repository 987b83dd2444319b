import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { describe, expect, it } from 'vitest';
import { Mending } from './mending.ts';
import { done, message, type Sample, session, started } from './testing/sample-home.ts';

/* A disk that is full in the middle of a turn: who is told what, and how the conversation comes back. */

const laneOf = async ({ conversations }: Sample) => conversations.lane(await conversations.default());
const moment = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** A turn that is at work until the gate is opened. */
function held() {
  const gate = Promise.withResolvers<void>();
  async function* script(): AsyncGenerator<BackendEvent> {
    yield session;
    await gate.promise;
    yield { type: 'narration', text: 'nearly there' };
    yield done('ok');
  }
  return { gate, script };
}

/** A home whose disk is full while a turn is at work. */
async function full() {
  const { gate, script } = held();
  const told: string[] = [];
  const home = await started({ script, onTrouble: (c, { code }) => told.push(`${c} ${code}`) });
  const lane = await laneOf(home);
  const command = message('begin');
  const reply = await lane.send(command);
  await expect.poll(() => home.backend.turns.length).toBe(1);
  await expect.poll(() => lane.view().session).not.toBeNull();
  const frames: Frame[] = [];
  await lane.attach(null, frame => frames.push(frame));
  const rows: string[] = [];
  home.conversations.watch(frame => rows.push(frame.frame));
  home.disk.room(0);
  gate.resolve();
  await expect.poll(() => frames.at(-1)?.frame).toBe('cut');
  return { home, lane, frames, told, rows, command, reply };
}

describe('a disk that is full in the middle of a turn', () => {
  it('is told to everybody at once, and the view says that nothing runs', async () => {
    const { home, lane, frames, told, rows } = await full();
    expect(frames.at(-1)).toMatchObject({
      frame: 'cut',
      code: 'not_saved',
      resumeFrom: lane.view().head,
      problem: { code: 'disk_full', detail: expect.stringContaining('The disk is full') },
    });
    expect(told).toEqual([`${lane.id} disk_full`]);
    expect(lane.view()).toMatchObject({
      state: 'idle',
      turn: { id: 't1', status: 'waiting' },
      trouble: { code: 'disk_full' },
    });
    expect(rows).toContain('changed');
    expect((await home.conversations.list({})).rows).toMatchObject([{ state: 'idle' }]);
  });

  it('does not let retention take it: its turn is still to be taken up', async () => {
    const { gate, script } = held();
    const least = { conversations: 64, days: 30, bytes: 1 };
    const retention = { limits: least, dispatched: least, trash: { days: 7, bytes: 1_000_000 } };
    const home = await started({ script, retention });
    const { view } = await home.conversations.create({ ...message(''), scope: { kind: 'global' } });
    const lane = await home.conversations.lane(view.id);
    await lane.send(message('begin'));
    await expect.poll(() => lane.view().session).not.toBeNull();
    home.disk.room(0);
    gate.resolve();
    await expect.poll(() => lane.view().trouble?.code).toBe('disk_full');
    home.disk.room(null);
    await home.conversations.retain();
    expect((await home.conversations.list({})).rows.map(({ id }) => id)).toContain(view.id);
  });

  it('is tried again by the clock, ever more slowly, and nobody needs to ask for it', async () => {
    const { home, lane, told } = await full();
    for (const ms of [1_000, 2_000, 5_000]) {
      home.clock.advance(ms);
      await lane.ready();
      expect(lane.view().trouble).toBeDefined();
    }
    home.disk.room(null);
    home.clock.advance(9_999);
    await moment();
    expect(lane.view().trouble).toBeDefined();
    home.clock.advance(1);
    await expect.poll(() => lane.view().trouble).toBeUndefined();
    expect(lane.view()).toMatchObject({
      state: 'waiting',
      pauses: [
        {
          kind: 'recovery',
          cause: 'interrupted',
          code: 'not_saved',
          detail: expect.stringContaining('no writes'),
        },
      ],
    });
    // Told once, however often it was tried.
    expect(told).toHaveLength(1);
    await lane.settled();
    expect(home.clock.timers).toBe(0);
  });

  it('loses nothing that was acknowledged, and a message takes the turn up again', async () => {
    const { home, lane, command, reply } = await full();
    await expect(lane.send(message('too early'))).rejects.toMatchObject({ code: 'disk_full' });
    home.disk.room(null);
    const frames: Frame[] = [];
    await lane.attach(null, frame => frames.push(frame));
    expect(await lane.send(command)).toMatchObject({ replayed: true, receipt: reply.receipt });
    expect(await lane.send(message('go on'))).toMatchObject({ receipt: { did: { as: 'started' } } });
    await lane.settled();
    expect(home.backend.turns).toHaveLength(2);
    const { items } = await lane.history(null, 10);
    expect(items.flatMap(line => (line.is === 'said' ? [line.text] : []))).toEqual(['begin', 'go on']);
    expect(items.at(-1)).toMatchObject({ is: 'replied', text: 'ok' });
    const seqs = frames.flatMap(frame => (frame.frame === 'event' ? [frame.event.seq] : []));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    const next = await started({ disk: home.disk.crash({ seed: 0 }) });
    expect((await (await laneOf(next)).history(null, 10)).items).toEqual(items);
  });

  it('is not tried any more when the service stops', async () => {
    const { home } = await full();
    await home.conversations.closeAll();
    expect(home.clock.timers).toBe(0);
  });

  it('that is full already at the start leaves the conversation to be read until it is not', async () => {
    const { home } = await full();
    const disk = home.disk.crash({ seed: 1 });
    disk.room(0);
    const clock = new SimClock();
    const lane = await laneOf(await started({ disk, clock }));
    expect(lane.view()).toMatchObject({ state: 'idle', pauses: [], trouble: { code: 'disk_full' } });
    expect((await lane.history(null, 10)).items).toMatchObject([
      { is: 'said', text: 'begin' },
      { is: 'mark' },
    ]);
    disk.room(null);
    clock.advance(1_000);
    await expect.poll(() => lane.view().trouble).toBeUndefined();
    // It was the end of the service that cut this turn short.
    expect(lane.view().pauses).toMatchObject([{ code: 'interrupted' }]);
  });
});

describe('a disk that is full while nothing runs', () => {
  it('is shown from the first refusal on, until the disk has taken something', async () => {
    const home = await started();
    const lane = await laneOf(home);
    await lane.send(message('hello'));
    await lane.settled();
    home.disk.room(0);
    await expect(lane.send(message('too much'))).rejects.toMatchObject({ code: 'disk_full' });
    await lane.ready();
    expect(lane.view().trouble).toMatchObject({ code: 'disk_full' });
    home.clock.advance(1_000);
    await lane.ready();
    expect(lane.view().trouble).toMatchObject({ code: 'disk_full' });
    home.disk.room(null);
    home.clock.advance(2_000);
    await expect.poll(() => lane.view().trouble).toBeUndefined();
    expect(await lane.send(message('now'))).toMatchObject({ receipt: {} });
  });
});

describe('mending', () => {
  it('never overlaps, joins whoever cannot wait, and stops', async () => {
    const clock = new SimClock();
    const gates: ((well: boolean) => void)[] = [];
    const mending = new Mending(clock, () => new Promise(resolve => gates.push(resolve)));
    const [one, two] = [mending.now(), mending.now()];
    expect(gates).toHaveLength(1);
    gates[0]!(false);
    await Promise.all([one, two]);
    expect(clock.timers).toBe(1);
    clock.advance(1_000);
    expect(gates).toHaveLength(2);
    const work = mending.during(() => Promise.resolve('done'));
    gates[1]!(true);
    expect(await work).toBe('done');
    expect(clock.timers).toBe(0);
    mending.later();
    await mending.stop();
    mending.later();
    expect(clock.timers).toBe(0);
  });
});
