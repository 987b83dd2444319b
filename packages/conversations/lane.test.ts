import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import { ada, done, message, session, started, textOfFile } from './testing/sample-home.ts';
import { epochPath, gated, laneOf } from './testing/lanes.ts';

describe('a turn', () => {
  it('is accepted, answered, kept in the history, and leaves a snapshot and an empty journal', async () => {
    const home = await started();
    const lane = await laneOf(home);
    const reply = await lane.send(message('hello'));
    expect(reply).toMatchObject({
      replayed: false,
      receipt: { command: 'message', did: { as: 'started', turn: 't1', message: 'm1' } },
    });
    expect(JSON.stringify(reply.receipt).length).toBeLessThanOrEqual(320);
    await lane.settled();
    expect(lane.view()).toMatchObject({ state: 'idle', turn: null, pauses: [{ kind: 'chat' }] });
    const { items } = await lane.history(null, 10);
    expect(items.map(line => line.is)).toEqual(['said', 'mark', 'replied']);
    await home.conversations.closeAll();
    const names = await home.disk.list(epochPath(lane.id));
    expect(names.filter(name => name.startsWith('journal'))).toEqual(['journal.2.jsonl']);
    expect(await textOfFile(home.disk, `${epochPath(lane.id)}/journal.2.jsonl`)).toBe('');
    expect(await textOfFile(home.disk, `${epochPath(lane.id)}/snapshot.json`)).toContain('"home"');
  });

  it('goes on where it stood after a restart, and numbers on', async () => {
    const home = await started();
    const lane = await laneOf(home);
    await lane.send(message('one'));
    await lane.settled();
    const before = lane.view();
    await home.conversations.closeAll();

    const again = await started({ disk: home.disk });
    const reopened = await laneOf(again);
    expect(reopened.view()).toEqual(before);
    const reply = await reopened.send(message('two'));
    expect(reply.receipt?.did).toMatchObject({ turn: 't2' });
    await reopened.settled();
    const page = await reopened.page(null, 500);
    if ('code' in page) throw new Error(page.code);
    expect(page.events.map(({ event }) => event.seq)).toEqual(page.events.map((_, index) => index + 1));
    expect(again.backend.turns[0]?.session).toMatchObject({ mode: 'resume', id: 's' });
  });
});

describe('a command', () => {
  it('sent again gives the first receipt, also after a restart and while the first is under way', async () => {
    const home = await started();
    const lane = await laneOf(home);
    const command = message('once');
    const [first, second] = await Promise.all([lane.send(command), lane.send(command)]);
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    expect(second.receipt).toEqual(first.receipt);
    await lane.settled();
    await home.conversations.closeAll();
    const again = await laneOf(await started({ disk: home.disk }));
    expect(await again.send(command)).toMatchObject({ replayed: true, receipt: first.receipt });
    expect(home.backend.turns).toHaveLength(1);
  });

  it('with another payload under the same id is refused', async () => {
    const lane = await laneOf(await started());
    const command = message('once');
    const first = await lane.send(command);
    const reply = await lane.send({ ...command, text: 'twice' });
    expect(reply).toMatchObject({ refused: { code: 'command_conflict' }, receipt: first.receipt });
  });

  it.each([
    ['an empty message', { text: ' ' }, 'empty_message'],
    ['an outdated revision', { text: 'x', expects: 0 }, 'revision_conflict'],
    ['a message while a turn runs', { text: 'x', delivery: 'reject' as const }, 'turn_active'],
    ['a huge message', { text: 'x'.repeat(1024 * 1024 + 1) }, 'too_large'],
  ])('that is %s is refused, changes nothing and is only audited', async (_, more, code) => {
    const slow = gated();
    const home = await started({ script: slow.script });
    const lane = await laneOf(home);
    await lane.send(message('begin'));
    await slow.begun;
    await expect.poll(() => lane.view().session).not.toBeNull();
    const before = lane.view();
    const { text, ...rest } = more;
    const reply = await lane.send(message(text, rest));
    expect(reply).toMatchObject({ receipt: null, refused: { code } });
    expect(lane.view()).toEqual(before);
    slow.open();
    await lane.settled();
    await home.conversations.closeAll();
    expect(await textOfFile(home.disk, `${epochPath(lane.id)}/audit.jsonl`)).toContain(`"code":"${code}"`);
  });

  it('may be taken back while it is queued, and interrupts what runs', async () => {
    const slow = gated();
    const lane = await laneOf(await started({ script: slow.script }));
    await lane.send(message('begin'));
    await slow.begun;
    await lane.send(message('later'));
    const { commandId, actor } = message('');
    expect(await lane.unsend({ commandId, actor, message: 'm2' })).toMatchObject({
      receipt: { did: { as: 'cancelled' } },
    });
    const stop = message('');
    expect(await lane.interrupt({ commandId: stop.commandId, actor, turn: 't1' })).toMatchObject({
      receipt: { did: { turn: 't1' } },
    });
    await lane.settled();
    expect(lane.view()).toMatchObject({
      queue: [],
      turn: { id: 't1', status: 'waiting' },
      pauses: [{ kind: 'recovery', cause: 'interrupted' }],
    });
  });
});

describe('commands of the same moment', () => {
  it('share a sync, and are acknowledged and shown in the order in which they were accepted', async () => {
    const disk = new SimDisk();
    let syncs = 0;
    const append = disk.append.bind(disk);
    // A sync takes its time, as on a real disk.
    disk.append = async path => {
      const handle = await append(path);
      const sync = async () => {
        syncs += 1;
        await new Promise(resolve => setImmediate(resolve));
        await handle.sync();
      };
      return { ...handle, sync };
    };
    const slow = gated();
    const lane = await laneOf(await started({ disk, script: slow.script }));
    await lane.send(message('begin'));
    await slow.begun;
    syncs = 0;
    const order: string[] = [];
    const frames: Frame[] = [];
    await lane.attach(lane.view().head, frame => frames.push(frame));
    const replies = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const reply = await lane.send(message(`together ${index}`));
        order.push(reply.receipt!.at);
        // Whoever is told has been able to see it.
        expect(frames.some(frame => frame.frame === 'event' && frame.cursor === reply.receipt!.at)).toBe(
          true,
        );
        return reply;
      }),
    );
    expect(order).toEqual(replies.map(reply => reply.receipt!.at));
    expect(syncs).toBeGreaterThan(0);
    expect(syncs).toBeLessThan(10);
  });
});

describe('a question', () => {
  it('waits, survives a restart, and is answered once by the decision that names it', async () => {
    async function* asking(turn: { answers: readonly unknown[] }): AsyncGenerator<BackendEvent> {
      yield session;
      if (turn.answers.length > 0) yield done('thanks');
      else
        yield {
          type: 'parked',
          asks: [{ text: 'Which?', options: [{ id: 'a', label: 'A' }], allowFreeText: false }],
          permits: [],
        };
    }
    const home = await started({ script: asking });
    const first = await laneOf(home);
    await first.send(message('go'));
    await first.settled();
    expect(first.view()).toMatchObject({ state: 'waiting', pauses: [{ kind: 'question', text: 'Which?' }] });
    expect((await home.conversations.list({ state: 'waiting' })).rows).toHaveLength(1);
    await home.conversations.closeAll();

    const lane = await laneOf(await started({ disk: home.disk, script: asking }));
    const pause = lane.view().pauses[0]!.id;
    const { commandId } = message('');
    const decision = { commandId, actor: ada, pause, act: { do: 'answer', option: 'a' } } as const;
    expect(await lane.decide(decision)).toMatchObject({ receipt: { did: { as: 'answered' } } });
    expect(await lane.decide(decision)).toMatchObject({ replayed: true });
    expect(await lane.decide({ ...decision, commandId: message('').commandId })).toMatchObject({
      refused: { code: 'closed' },
    });
    await lane.settled();
    expect(lane.view().state).toBe('idle');
  });
});

describe('a restart in the middle of a turn', () => {
  it('opens by itself, asks a person, and never sends the turn again', async () => {
    const slow = gated();
    const home = await started({ script: slow.script });
    const lane = await laneOf(home);
    await lane.send(message('begin'));
    await slow.begun;
    const crashed = home.disk.crash({ seed: 0 });

    const again = await started({ disk: crashed });
    expect((await again.conversations.list({})).rows).toMatchObject([{ state: 'waiting' }]);
    const reopened = await laneOf(again);
    expect(reopened.view().pauses).toMatchObject([{ kind: 'recovery', cause: 'interrupted' }]);
    expect(again.backend.turns).toHaveLength(0);
    await reopened.send(message('go on'));
    await reopened.settled();
    expect(again.backend.turns).toHaveLength(1);
  });
});
