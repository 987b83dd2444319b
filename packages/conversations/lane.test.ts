import type { BackendEvent } from '@hearth/engine/backend.ts';
import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import {
  ada,
  botOf,
  done,
  HOME,
  message,
  type Sample,
  sample,
  session,
  started,
  textOfFile,
} from './testing/sample-home.ts';

async function laneOf({ conversations }: Sample) {
  return conversations.lane(await conversations.default());
}

function seqs(frames: readonly Frame[]): number[] {
  return frames.flatMap(frame => (frame.frame === 'event' ? [frame.event.seq] : []));
}

function epochPath(id: ConversationId): string {
  return `${HOME}/conversations/${id}/epochs/1`;
}

/** A turn that waits until it is told to go on. */
function gated(reply = 'ok') {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  async function* script(): AsyncGenerator<BackendEvent> {
    yield session;
    begun.resolve();
    await gate.promise;
    yield done(reply);
  }
  return { script, open: () => gate.resolve(), begun: begun.promise };
}

describe('a turn', () => {
  it('is accepted, answered, kept in the history, and leaves a snapshot and no journal', async () => {
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
    expect(names.filter(name => name.startsWith('journal'))).toEqual([]);
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

describe('whoever attaches', () => {
  it('gets the same frames as everybody else, each once and in order', async () => {
    const lane = await laneOf(await started());
    const [a, b]: Frame[][] = [[], []];
    await lane.attach(null, frame => a!.push(frame));
    await lane.attach(null, frame => b!.push(frame));
    for (const text of ['one', 'two', 'three']) {
      await lane.send(message(text));
      await lane.settled();
    }
    expect(seqs(a!)).toEqual(seqs(a!).map((_, index) => index + 1));
    expect(seqs(a!).length).toBeGreaterThan(20);
    expect(b).toEqual(a);
  });

  it('continues after its cursor, and stops when it lets go', async () => {
    const lane = await laneOf(await started());
    await lane.send(message('one'));
    await lane.settled();
    const after = lane.view().head;
    const frames: Frame[] = [];
    const off = await lane.attach(after, frame => frames.push(frame));
    expect(frames).toEqual([]);
    await lane.send(message('two'));
    await lane.settled();
    const count = frames.length;
    expect(seqs(frames)[0]).toBe(Number(after.split('.')[1]) + 1);
    off();
    await lane.send(message('three'));
    await lane.settled();
    expect(frames).toHaveLength(count);
  });

  it.each([
    ['7.1.aaaaaa', 'epoch_changed'],
    ['1.99999.aaaaaa', 'cursor_ahead'],
    ['1.2.ffffff', 'epoch_changed'],
    ['nonsense', 'cursor_invalid'],
  ])(
    'with the cursor %s is told %s once, with the state, and goes on from the boundary',
    async (cursor, code) => {
      const lane = await laneOf(await started());
      await lane.send(message('one'));
      await lane.settled();
      const frames: Frame[] = [];
      await lane.attach(cursor, frame => frames.push(frame));
      const view = lane.view();
      expect(frames[0]).toEqual({
        frame: 'recover',
        recovery: { code, resetCursor: view.retained, stateCursor: view.head, view },
      });
      expect(seqs(frames)).toEqual(Array.from({ length: frames.length - 1 }, (_, index) => index + 1));
    },
  );

  it('sees drafts at a measured pace, and none after the words are out', async () => {
    const gate = Promise.withResolvers<void>();
    async function* drafting(): AsyncGenerator<BackendEvent> {
      yield session;
      for (const text of ['a', 'ab', 'abc', 'abcd']) yield { type: 'draft', text };
      await gate.promise;
      yield done('abcd');
    }
    const home = await started({ script: drafting });
    const lane = await laneOf(home);
    const frames: Frame[] = [];
    await lane.attach(null, frame => frames.push(frame));
    await lane.send(message('go'));
    const drafts = () => frames.flatMap(frame => (frame.frame === 'draft' ? [frame.text] : []));
    while (drafts().length === 0) await new Promise(resolve => setImmediate(resolve));
    await new Promise(resolve => setImmediate(resolve));
    expect(drafts()).toEqual(['a']);
    home.clock.advance(60);
    expect(drafts()).toEqual(['a', 'abcd']);
    gate.resolve();
    await lane.settled();
    home.clock.advance(1000);
    expect(drafts()).toHaveLength(2);
  });
});

describe('the log', () => {
  it('is trimmed, tells those who come late, and keeps every word in the history', async () => {
    const lane = await laneOf(await started());
    const old = lane.view().head;
    for (let turn = 0; turn < 50; turn += 1) {
      await lane.send(message(`message ${turn}`));
      await lane.settled();
    }
    const [epoch, head] = lane.view().head.split('.').map(Number);
    const kept = head! - Number(lane.view().retained.split('.')[1]);
    expect(epoch).toBe(1);
    expect(head).toBeGreaterThan(500);
    expect(kept).toBeLessThanOrEqual(500);
    expect(kept).toBeGreaterThanOrEqual(400);
    expect(await lane.page(old, 10)).toMatchObject({ code: 'cursor_expired', view: { state: 'idle' } });
    const words: string[] = [];
    for (let before: number | null = null; ; ) {
      const page = await lane.history(before, 7);
      words.unshift(
        ...page.items.flatMap(line =>
          line.is === 'said' && typeof line.text === 'string' ? [line.text] : [],
        ),
      );
      if (!page.hasOlder) break;
      before = page.previous;
    }
    expect(words).toEqual(Array.from({ length: 50 }, (_, turn) => `message ${turn}`));
  });
});

describe('long text', () => {
  it('is kept as a blob and referred to', async () => {
    const lane = await laneOf(await started());
    const text = 'é'.repeat(40_000);
    await lane.send(message(text));
    const { items } = await lane.history(null, 1);
    const said = items.find(line => line.is === 'said');
    if (said?.is !== 'said' || typeof said.text === 'string') throw new Error('no reference');
    expect(said.text.bytes).toBe(80_000);
    expect(new TextDecoder().decode((await lane.blob(said.text.blob))!)).toBe(text);
  });
});

describe('a failed write', () => {
  it.each(['appendWrite', 'appendSync'] as const)('at %s is told, undone, and mended at once', async call => {
    const home = await started();
    const lane = await laneOf(home);
    await lane.send(message('one'));
    await lane.settled();
    const frames: Frame[] = [];
    await lane.attach(null, frame => frames.push(frame));
    const before = lane.view();
    home.disk.failNext(call, 'disk_full', 10);
    const lost = message('two');
    await expect(lane.send(lost)).rejects.toMatchObject({ code: 'disk_full' });
    expect(lane.view()).toMatchObject({ head: before.head, trouble: { code: 'disk_full' } });
    await lane.ready();
    expect(lane.view()).toEqual(before);
    // Whoever is attached is told and let go, and comes back where it stood.
    const cut = frames.pop();
    expect(cut).toMatchObject({
      frame: 'cut',
      code: 'not_saved',
      resumeFrom: before.head,
      problem: { code: 'disk_full' },
    });
    await lane.attach(before.head, frame => frames.push(frame));
    expect(await lane.send(lost)).toMatchObject({ replayed: false, receipt: { did: { turn: 't2' } } });
    await lane.settled();
    expect(seqs(frames)).toEqual(seqs(frames).map((_, index) => index + 1));
    const said = (await lane.history(null, 10)).items.filter(line => line.is === 'said');
    expect(said).toHaveLength(2);
  });

  it('on a disk that stays full leaves the conversation to be read', async () => {
    const home = await started();
    const lane = await laneOf(home);
    await lane.send(message('one'));
    await lane.settled();
    home.disk.room(20);
    await expect(lane.send(message('two'))).rejects.toMatchObject({ code: 'disk_full' });
    await expect(lane.send(message('three'))).rejects.toMatchObject({ code: 'disk_full' });
    expect((await lane.history(null, 5)).items.length).toBeGreaterThan(0);
    const page = await lane.page(null, 500);
    expect('events' in page && page.events.length).toBeGreaterThan(5);
    home.disk.room(null);
    expect(await lane.send(message('four'))).toMatchObject({ receipt: { did: { as: 'started' } } });
  });

  it('in the middle of a turn becomes a recovery', async () => {
    const slow = gated();
    const home = await started({ script: slow.script });
    const lane = await laneOf(home);
    await lane.send(message('one'));
    await slow.begun;
    home.disk.failNext('appendSync', 'disk_failed');
    slow.open();
    await expect.poll(() => lane.settled().then(() => true)).toBe(true);
    await lane.ready();
    expect(lane.view().pauses).toMatchObject([
      {
        kind: 'recovery',
        cause: 'interrupted',
        code: 'not_saved',
        detail: expect.stringContaining('The disk took no writes'),
      },
    ]);
  });
});

describe('the bot', () => {
  it('that changed is taken up by the next message', async () => {
    const home = await started();
    const lane = await laneOf(home);
    await lane.send(message('one'));
    await lane.settled();
    const next = botOf(chatPlan({ cap: 5 }));
    home.bots.bots.set('whats-next', next);
    await lane.send(message('two'));
    expect(lane.view().run?.plan).toBe(next.digest);
    await lane.settled();
    await home.conversations.closeAll();
    const again = await laneOf(await started({ disk: home.disk, bots: home.bots }));
    expect(again.view()).toEqual(lane.view());
  });

  it('that cannot be loaded leaves the conversation with the plan it had', async () => {
    const home = await started();
    await (await laneOf(home)).send(message('one'));
    await (await laneOf(home)).settled();
    await home.conversations.closeAll();
    home.bots.bots.clear();
    const again = await started({ disk: home.disk, bots: home.bots });
    const lane = await laneOf(again);
    await lane.send(message('two'));
    await lane.settled();
    const page = await lane.page(null, 500);
    expect(JSON.stringify(page)).toContain('"code":"unknown_bot"');
    expect((await lane.history(null, 1)).items.at(-1)).toMatchObject({ is: 'replied', text: 'heard two' });
  });

  it('that never could be loaded is a clear error, and the conversation still opens', async () => {
    const home = sample();
    home.bots.bots.clear();
    await home.conversations.initialise();
    const lane = await laneOf(home);
    await expect(lane.send(message('hi'))).rejects.toMatchObject({ code: 'unknown_bot' });
    expect(lane.view().state).toBe('idle');
  });
});
