import type { BackendEvent } from '@hearth/engine/backend.ts';
import { LOOK_MS, Stall } from '@hearth/engine/stall.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { describe, expect, it } from 'vitest';
import { done, message, type Sample, session, started } from './testing/sample-home.ts';

/* A backend that says nothing any more, and a machine that slept. */

const MINUTE = 60_000;
const moment = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const laneOf = async ({ conversations }: Sample) => conversations.lane(await conversations.default());

/** Lets time go by as it does, a little at a time. */
async function pass({ clock }: { clock: SimClock }, minutes: number): Promise<void> {
  for (let done = 0; done < minutes * MINUTE; done += LOOK_MS) {
    clock.advance(LOOK_MS);
    if (done % (10 * LOOK_MS) === 0) await moment();
  }
  await moment();
}

async function hanging(script: (resume: Promise<void>, clock: SimClock) => AsyncGenerator<BackendEvent>) {
  const clock = new SimClock();
  const gate = Promise.withResolvers<void>();
  const home = await started({ clock, script: () => script(gate.promise, clock) });
  const lane = await laneOf(home);
  await lane.send(message('go'));
  await expect.poll(() => home.backend.turns.length).toBe(1);
  await moment();
  return { home, lane, resume: () => gate.resolve() };
}

describe('a turn', () => {
  it('whose backend falls silent is given up after a while and waits for its person', async () => {
    const { home, lane, resume } = await hanging(async function* (resumed) {
      yield session;
      await resumed;
      yield done('too late');
    });
    await pass(home, 14);
    expect(lane.view()).toMatchObject({ state: 'working' });
    await pass(home, 2);
    await lane.settled();
    expect(lane.view().pauses).toMatchObject([{ kind: 'recovery', cause: 'failed', code: 'quiet' }]);
    expect(home.clock.timers).toBe(0);
    // What comes after that is heard by nobody.
    resume();
    await moment();
    expect((await lane.history(null, 5)).items.some(line => line.is === 'replied')).toBe(false);
  });

  it('may last as long as it likes while something is heard', async () => {
    const { home, lane } = await hanging(async function* (_resumed, clock) {
      yield session;
      for (let hour = 0; hour < 8; hour += 1) {
        await new Promise<void>(resolve => clock.after(10 * MINUTE, resolve));
        yield { type: 'narration', text: `still at it, ${hour}` };
      }
      yield done('ok');
    });
    await pass(home, 81);
    await lane.settled();
    expect(lane.view()).toMatchObject({ state: 'idle' });
  });

  it('is not given up while a tool works', async () => {
    const { home, lane, resume } = await hanging(async function* (resumed) {
      yield session;
      yield { type: 'tool', call: 'c1', name: 'build', change: 'started', mutates: true };
      await resumed;
      yield { type: 'tool', call: 'c1', name: 'build', change: 'completed', mutates: true };
      yield done('built');
    });
    await pass(home, 60);
    expect(lane.view()).toMatchObject({ state: 'working' });
    resume();
    await lane.settled();
    expect(lane.view()).toMatchObject({ state: 'idle' });
  });

  it('outlives a night in which the machine slept, and is given up when nothing comes after it', async () => {
    const { home, lane } = await hanging(async function* (resumed) {
      yield session;
      await resumed;
    });
    await pass(home, 10);
    home.clock.suspend(10 * 60 * MINUTE);
    await pass(home, 4);
    expect(lane.view()).toMatchObject({ state: 'working' });
    await pass(home, 2);
    await lane.settled();
    expect(lane.view().pauses).toMatchObject([{ code: 'quiet' }]);
  });
});

describe('the silence', () => {
  it('does not count a sleep that the clock counted', async () => {
    const clock = new SimClock();
    const stall = new Stall(clock, 3 * LOOK_MS);
    let stalled = false;
    void stall.stalled.then(() => (stalled = true));
    const timers: (() => void)[] = [];
    const sleepy = {
      now: () => clock.now(),
      active: () => clock.active(),
      after: (_: number, on: () => void) => (timers.push(on), () => undefined),
    };
    const other = new Stall(sleepy, 3 * LOOK_MS);
    void other.stalled.then(() => (stalled = true));
    stall.stop();
    // The timer fires an hour late: the clock went on while nothing else did.
    clock.advance(60 * MINUTE);
    timers.shift()?.();
    await moment();
    expect(stalled).toBe(false);
    clock.advance(LOOK_MS);
    timers.shift()?.();
    await moment();
    expect(stalled).toBe(true);
  });
});
