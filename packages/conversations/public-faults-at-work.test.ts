import type { BackendEvent, BackendTurn } from '@hearth/engine/backend.ts';
import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { describe, expect, it } from 'vitest';
import type { Lane } from './lane.ts';
import { DAY_MS } from './retention.ts';
import { laneOf } from './testing/lanes.ts';
import { ada, done, echo, message, sample, SampleBots, session, started } from './testing/sample-home.ts';

/* Faults that comparable systems had in public, by their numbers: while an agent works, and over many turns. */

const MINUTE = 60_000;

describe('B13: the time in which a person thinks', () => {
  /** Works for ten seconds before each of two questions, and ten after them. */
  const working = (clock: SimClock) =>
    async function* (turn: BackendTurn): AsyncGenerator<BackendEvent> {
      yield session;
      clock.advance(10_000);
      const answered = turn.answers.length;
      const second = turn.prompt.user === 'second';
      if (answered === 0) {
        const asks = [{ text: second ? 'Two?' : 'One?', options: [], allowFreeText: true }];
        yield { type: 'parked', asks, permits: [] };
        return;
      }
      yield done(turn.answers.map(({ result }) => (result === 'cancelled' ? '' : result.text)).join());
    };

  const answer = async (lane: Lane, text: string) => {
    const [pause] = lane.view().pauses.filter(({ kind }) => kind === 'question');
    const act = { do: 'answer', text } as const;
    const { commandId } = message('');
    expect(await lane.decide({ commandId, actor: ada, pause: pause!.id, act })).toMatchObject({
      replayed: false,
    });
    await lane.settled();
  };

  it('is charged to nobody, over a restart too, and what was used is not given back by the answer', async () => {
    const clock = new SimClock();
    // Four bursts of ten seconds are within the lifetime and one of forty would not be within the burst.
    const plan = chatPlan({ burst: { duration: MINUTE }, lifetime: { duration: 5 * MINUTE } });
    const home = { clock, bots: new SampleBots(plan), script: working(clock) };
    const first = await started(home);
    let lane = await laneOf(first);
    await lane.send(message('first'));
    await lane.settled();
    clock.advance(54 * MINUTE);
    expect(lane.view().budget.lifetime.activeMs).toBe(10_000);
    await answer(lane, 'after 54 minutes');
    expect(lane.view().budget.lifetime.activeMs).toBe(20_000);

    await lane.send(message('second'));
    await lane.settled();
    lane = await laneOf(await started({ ...home, disk: first.disk.crash({ seed: 1 }) }));
    clock.advance(9 * DAY_MS);
    expect(lane.view().budget.lifetime.activeMs).toBe(30_000);
    await answer(lane, 'after nine days');
    const { state, budget } = lane.view();
    expect(state).toBe('idle');
    expect(budget.lifetime.activeMs).toBe(40_000);
    const replies = (await lane.history(null, 100)).items.filter(({ is }) => is === 'replied');
    expect(replies).toMatchObject([{ text: 'after 54 minutes' }, { text: 'after nine days' }]);
  });
});

describe('B22: words that are cut off', () => {
  const pieces = Array.from({ length: 1002 }, (_, n) => (n === 1001 ? '🪔' : `${n} `));

  it('are all kept that were accepted, once and whole, and no tool call ends twice', async () => {
    const begun = Promise.withResolvers<void>();
    async function* script({ attempt }: BackendTurn): AsyncGenerator<BackendEvent> {
      yield session;
      if (attempt > 1) {
        yield done('and on');
        return;
      }
      const call = { type: 'tool', call: 'c1', name: 'look', mutates: false } as const;
      yield { ...call, change: 'started' };
      for (const text of pieces) yield { type: 'narration', text };
      yield { ...call, change: 'completed' };
      yield { ...call, call: 'c2', change: 'started' };
      begun.resolve();
      await new Promise(() => undefined);
    }
    const lane = await laneOf(await started({ script }));
    const frames: Frame[] = [];
    await lane.attach(null, frame => frames.push(frame));
    await lane.send(message('tell me'));
    await begun.promise;
    await lane.interrupt({ commandId: message('').commandId, actor: ada, turn: lane.view().turn!.id });
    await lane.settled();
    await lane.send(message('go on'));
    await lane.settled();
    const events = frames.flatMap(frame => (frame.frame === 'event' ? [frame.event] : []));
    const said = events.flatMap(event =>
      event.type === 'narration' && typeof event.text === 'string' ? [event.text] : [],
    );
    expect(said.join('')).toBe(pieces.join(''));
    const calls = events.flatMap(event => (event.type === 'tool' ? [`${event.call} ${event.change}`] : []));
    // How the second call ended is known to nobody: it is told that it was cut off, and nobody is shown one at work.
    expect(calls).toEqual(['c1 started', 'c1 completed', 'c2 started', 'c2 failed']);
  });

  it('as drafts become one message of the same words', async () => {
    async function* script(): AsyncGenerator<BackendEvent> {
      yield session;
      for (let n = 1; n <= pieces.length; n += 1) yield { type: 'draft', text: pieces.slice(0, n).join('') };
      yield done(pieces.join(''));
    }
    const lane = await laneOf(await started({ script }));
    const frames: Frame[] = [];
    await lane.attach(null, frame => frames.push(frame));
    await lane.send(message('tell me'));
    await lane.settled();
    const replies = frames.flatMap(frame =>
      frame.frame === 'event' && frame.event.type === 'message' && frame.event.by.kind === 'bot'
        ? [frame.event.text]
        : [],
    );
    expect(replies).toEqual([pieces.join('')]);
  });
});

describe('B23: what is sent while a turn runs', () => {
  const clients = ['console', 'studio', 'curl'] as const;
  const commands = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      message(`no ${n}`, { actor: { ...ada, surface: clients[n % 3] ?? 'console' } }),
    );

  async function takeUp(lane: Lane) {
    for (const { kind, id } of lane.view().pauses) {
      if (kind !== 'recovery') continue;
      const { commandId } = message('');
      await lane.decide({ commandId, actor: ada, pause: id, act: { do: 'answer', option: 'again' } });
    }
  }

  /** Sends all of them while the first turn is held; resolves to what the backend was asked. */
  async function work(disk: SimDisk, sent: ReturnType<typeof commands>, asked: string[]) {
    const gate = Promise.withResolvers<void>();
    const home = sample({
      disk,
      async *script(turn) {
        asked.push(turn.prompt.user);
        if (turn.prompt.user === 'no 0') await gate.promise;
        yield* echo(turn);
      },
    });
    await home.conversations.initialise();
    await home.conversations.resume();
    const lane = await laneOf(home);
    // Words would be "again" for what a crash interrupted, and join it: this person takes it up first.
    await takeUp(lane);
    const accepted = await Promise.allSettled(sent.map(command => lane.send(command)));
    gate.resolve();
    const failed = accepted.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    await lane.settled();
    await home.conversations.closeAll();
  }

  it('reaches the backend once each and in order', async () => {
    const asked: string[] = [];
    const sent = commands(50);
    await work(new SimDisk(), sent, asked);
    expect(asked).toEqual(sent.map(({ text }) => text));
  });

  it('does so whichever call to the disk was the last before a crash; only what a person takes up again comes again', {
    timeout: 120_000,
  }, async () => {
    const sent = commands(4);
    const whole = new SimDisk();
    await work(whole, sent, []);
    for (let call = 1; call <= whole.calls; call += 1) {
      const disk = new SimDisk();
      disk.crashBefore(call);
      const before: string[] = [];
      await work(disk, sent, before).catch(() => undefined);
      const after: string[] = [];
      await work(disk.crash({ seed: call }), sent, after);
      // The one that was cut off may be the last before and the first after.
      if (after[0] !== undefined && after[0] === before.at(-1)) after.shift();
      expect([call, ...before, ...after]).toEqual([call, ...sent.map(({ text }) => text)]);
    }
  });
});

it('B26: a turn writes as much after three hundred others as after eighty, and coming back writes next to nothing', {
  timeout: 120_000,
}, async () => {
  const written = new WeighedDisk();
  const home = await started({ disk: written });
  const lane = await laneOf(home);
  const turns = async (count: number): Promise<number> => {
    const before = written.bytes;
    for (let n = 0; n < count; n += 1) {
      await lane.send(message('the same words'));
      await lane.settled();
    }
    return (written.bytes - before) / count;
  };
  await turns(80);
  const early = await turns(60);
  await turns(180);
  const late = await turns(60);
  expect(late).toBeLessThanOrEqual(1.1 * early);
  await home.conversations.closeAll();
  const before = written.bytes;
  for (let boot = 0; boot < 20; boot += 1) await (await started({ disk: written })).conversations.closeAll();
  expect((written.bytes - before) / 20).toBeLessThan(1024);
});

/** A disk that weighs what is written to it. */
class WeighedDisk extends SimDisk {
  bytes = 0;

  override write(path: string, bytes: Uint8Array): Promise<void> {
    this.bytes += bytes.length;
    return super.write(path, bytes);
  }

  override async append(path: string): ReturnType<SimDisk['append']> {
    const handle = await super.append(path);
    return {
      write: bytes => {
        this.bytes += bytes.length;
        return handle.write(bytes);
      },
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  }
}
