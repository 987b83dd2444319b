import type { BackendEvent } from '@hearth/engine/backend.ts';
import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import { parseCursor } from '@hearth/protocol/cursor.ts';
import { describe, expect, it } from 'vitest';
import { ARCHIVES } from './archives.ts';
import type { Lane } from './lane.ts';
import {
  ada,
  botOf,
  done,
  HOME,
  message,
  type Sample,
  SampleBots,
  session,
  started,
} from './testing/sample-home.ts';

const bare = () => ({ commandId: message('').commandId, actor: ada });
const laneOf = async ({ conversations }: Sample): Promise<Lane> =>
  conversations.lane(await conversations.default());

async function say(lane: Lane, text: string) {
  const command = message(text);
  await lane.send(command);
  await lane.settled();
  return command;
}

async function* asks(turn: {
  prompt: { user: string };
  answers: readonly unknown[];
}): AsyncGenerator<BackendEvent> {
  yield session;
  if (turn.prompt.user.includes('ask') && turn.answers.length === 0) {
    yield {
      type: 'parked',
      asks: [{ text: 'Which?', options: [{ id: 'a', label: 'A' }], allowFreeText: true }],
      permits: [],
    };
    return;
  }
  yield done(`heard ${turn.prompt.user}`);
}

describe('a reset', () => {
  it('keeps id, title, scope and counters, and begins with nothing said and a fresh session', async () => {
    const home = await started();
    const lane = await laneOf(home);
    await say(lane, 'one');
    const before = lane.view();
    const reply = await lane.reset(bare());
    expect(reply).toMatchObject({ replayed: false, receipt: { command: 'reset' } });
    const { epoch, seq } = parseCursor(reply.view.head)!;
    expect({ epoch, seq }).toEqual({ epoch: 2, seq: parseCursor(before.head)!.seq + 1 });
    expect(reply.view).toMatchObject({
      id: before.id,
      title: before.title,
      scope: before.scope,
      isDefault: true,
      run: null,
      turn: null,
      pauses: [],
      session: null,
      state: 'idle',
    });
    expect((await lane.history(null, 10)).items).toMatchObject([{ is: 'mark', mark: 'reset' }]);
    await say(lane, 'two');
    expect(home.backend.turns.at(-1)).toMatchObject({ session: { mode: 'fresh' } });
    expect(lane.view().run?.id).toBe('r2');
    const said = (await lane.history(null, 10)).items.filter(line => line.is === 'said');
    expect(said).toMatchObject([{ text: 'two', message: 'm3' }]);
  });

  it('tells those attached, who go on without a gap, and turns away the cursors of before', async () => {
    const home = await started();
    const lane = await laneOf(home);
    await say(lane, 'one');
    const old = lane.view().head;
    const frames: Frame[] = [];
    await lane.attach(old, frame => frames.push(frame));
    await lane.reset(bare());
    await say(lane, 'two');
    const [first, ...rest] = frames.filter(frame => frame.frame !== 'draft');
    expect(first).toMatchObject({
      frame: 'recover',
      recovery: { code: 'epoch_changed', view: { run: null, pauses: [] } },
    });
    const events = rest.flatMap(frame => (frame.frame === 'event' ? [frame.event] : []));
    expect(events[0]).toMatchObject({ type: 'conversation', change: 'reset' });
    const from = parseCursor(old)!.seq;
    expect(events.map(event => event.seq)).toEqual(events.map((_, index) => from + 1 + index));
    expect(await lane.page(old, 10)).toMatchObject({
      code: 'epoch_changed',
      resetCursor: lane.view().retained,
    });
    const late: Frame[] = [];
    await lane.attach(old, frame => late.push(frame));
    expect(late[0]).toMatchObject({ frame: 'recover', recovery: { code: 'epoch_changed' } });
    expect(late.slice(1).map(frame => frame.frame === 'event' && frame.event.seq)).toEqual(
      events.map(event => event.seq),
    );
  });

  it('cancels what was open, is refused while a turn runs or waits to, and leaves everything as it was then', async () => {
    const gate = Promise.withResolvers<void>();
    const home = await started({
      async *script(turn) {
        yield session;
        if (turn.prompt.user.includes('work')) await gate.promise;
        yield* asks(turn);
      },
    });
    const lane = await laneOf(home);
    await lane.send(message('work'));
    const { head } = lane.view();
    expect(await lane.reset(bare())).toMatchObject({ receipt: null, refused: { code: 'active' } });
    expect(parseCursor(lane.view().head)!.epoch).toBe(parseCursor(head)!.epoch);
    gate.resolve();
    await lane.settled();
    await say(lane, 'ask me');
    const [question] = lane.view().pauses;
    expect(question).toMatchObject({ kind: 'question' });
    expect((await lane.reset(bare())).view.pauses).toEqual([]);
    const late = await lane.decide({ ...bare(), pause: question!.id, act: { do: 'answer', option: 'a' } });
    expect(late.receipt).toBeNull();
    expect(home.backend.turns).toHaveLength(2);
  });

  it('keeps every receipt, those included that no snapshot holds yet', async () => {
    const home = await started();
    const lane = await laneOf(home);
    const first = await say(lane, 'one');
    const append = home.disk.append.bind(home.disk);
    let broken = true;
    home.disk.append = path =>
      broken && path.endsWith('/receipts.jsonl') ? Promise.reject(new Error('no')) : append(path);
    const second = await say(lane, 'two');
    broken = false;
    const reset = bare();
    await lane.reset(reset);
    await home.conversations.closeAll();
    const again = await laneOf(await started({ disk: home.disk }));
    for (const command of [first, second])
      expect(await again.send(command)).toMatchObject({ replayed: true });
    expect(await again.reset(reset)).toMatchObject({ replayed: true });
    expect(await again.send({ ...first, text: 'other' })).toMatchObject({
      refused: { code: 'command_conflict' },
    });
  });

  it.each(['write', 'rename', 'syncFile', 'syncDirectory'] as const)(
    'that fails at any %s loses nothing of what is accepted afterwards',
    async call => {
      for (let nth = 1; nth < 12; nth += 1) {
        const home = await started();
        const lane = await laneOf(home);
        const first = await say(lane, 'one');
        let left = nth;
        const real = home.disk[call].bind(home.disk) as (...args: unknown[]) => Promise<never>;
        Object.assign(home.disk, {
          [call]: (...args: unknown[]) => {
            left -= 1;
            if (left === 0) home.disk.failNext(call, 'disk_failed');
            return real(...args);
          },
        });
        const command = bare();
        const failed = await lane.reset(command).then(
          () => false,
          () => true,
        );
        const next = message('two');
        // What is refused by the disk may be sent again.
        try {
          await lane.send(next);
        } catch {
          await lane.send(next);
        }
        const { epoch } = parseCursor(lane.view().head)!;
        expect(failed || epoch === 2).toBe(true);
        const crashed = await laneOf(await started({ disk: home.disk.crash({ seed: 0 }) }));
        expect(parseCursor(crashed.view().head)!.epoch).toBe(epoch);
        for (const sent of [first, next]) expect(await crashed.send(sent)).toMatchObject({ replayed: true });
        expect((await crashed.reset(command)).replayed).toBe(epoch === 2);
      }
    },
  );

  it('lets a message that comes at the same moment into the one epoch or the other', async () => {
    for (let moments = 0; moments < 40; moments += 1) {
      const home = await started();
      const lane = await laneOf(home);
      await say(lane, 'one');
      const reset = lane.reset(bare());
      for (let n = 0; n < moments; n += 1) await Promise.resolve();
      const sent = await lane.send(message('two'));
      await reset;
      await lane.settled();
      expect(sent.receipt).not.toBeNull();
      const heard = home.backend.turns.map(turn => turn.prompt.user);
      expect(heard.filter(text => text.includes('two'))).toHaveLength(1);
    }
  });

  it('takes the bot that the conversation was given meanwhile', async () => {
    const bots = new SampleBots();
    const other = botOf(chatPlan({ cap: 7 }), 'hello');
    bots.bots.set('hello', other);
    const home = await started({ bots });
    const lane = await laneOf(home);
    await say(lane, 'one');
    await lane.change({ ...bare(), bot: 'hello' });
    await lane.reset(bare());
    await say(lane, 'two');
    expect(lane.view()).toMatchObject({ bot: 'hello', run: { plan: other.digest } });
  });
});

describe('the epochs before', () => {
  it('are kept whole, up to their number, and their bytes are the conversation’s', async () => {
    const home = await started();
    const lane = await laneOf(home);
    const directory = `${HOME}/conversations/${lane.id}/epochs`;
    await say(lane, 'the very first words');
    const transcript = await home.disk.read(`${directory}/1/transcript.jsonl`);
    await lane.reset(bare());
    expect(await home.disk.read(`${directory}/1/transcript.jsonl`)).toEqual(transcript);
    for (let more = 0; more < ARCHIVES + 1; more += 1) await lane.reset(bare());
    const kept = (await home.disk.list(directory)).map(Number).toSorted((a, b) => a - b);
    expect(kept).toHaveLength(ARCHIVES + 1);
    expect(kept.at(-1)).toBe(ARCHIVES + 3);
    const { bytes } = await home.conversations.plan();
    expect(bytes.conversations).toBe(await home.disk.usage(`${HOME}/conversations/${lane.id}`));
  });
});
