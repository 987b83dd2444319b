import type { BackendEvent, BackendTurn, Host, InboxMessage } from '@hearth/engine/backend.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { describe, expect, it } from 'vitest';
import type { Lane } from './lane.ts';
import { gated, laneOf, seqs } from './testing/lanes.ts';
import { ada, done, message, session, started } from './testing/sample-home.ts';

/* The cases of turns, 30 to 39, by their numbers. */

const bare = () => ({ commandId: message('').commandId, actor: ada });

async function turnsOf(lane: Lane): Promise<string[]> {
  const page = await lane.page(null, 1000);
  if ('code' in page) throw new Error(page.code);
  return page.events.flatMap(({ event }) => (event.type === 'turn' ? [`${event.turn} ${event.change}`] : []));
}

it('30: each of many readers sees one stretch without a gap, whatever is trimmed meanwhile', async () => {
  const lane = await laneOf(await started());
  const readers: Frame[][] = [];
  for (let turn = 0; turn < 60; turn += 1) {
    if (turn % 6 === 0) {
      const frames: Frame[] = [];
      readers.push(frames);
      await lane.attach(null, frame => frames.push(frame));
    }
    await lane.send(message('more'));
    await lane.settled();
  }
  const last = Number(lane.view().head.split('.')[1]);
  expect(last).toBeGreaterThan(600);
  for (const frames of readers) {
    const [first = 0] = seqs(frames);
    expect(seqs(frames)).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index));
  }
});

describe('a message that expects a revision', () => {
  it('31: which is not the present one is refused with the state, and changes nothing', async () => {
    const lane = await laneOf(await started());
    await lane.send(message('one'));
    await lane.settled();
    const view = lane.view();
    const refused = await lane.send(message('two', { expects: view.revision - 1 }));
    expect(refused).toMatchObject({ receipt: null, refused: { code: 'revision_conflict' }, view });
    expect(lane.view()).toEqual(view);
  });

  it('32: is accepted once when two are sent at the same moment', async () => {
    const lane = await laneOf(await started());
    const expects = lane.view().revision;
    const replies = await Promise.all(['a', 'b'].map(text => lane.send(message(text, { expects }))));
    expect(replies.map(({ refused }) => refused?.code ?? 'accepted').sort()).toEqual([
      'accepted',
      'revision_conflict',
    ]);
  });
});

it('R13.30: 33: a command sent twice is one turn with one receipt, also after a restart; other words are a conflict', async () => {
  const home = await started();
  const lane = await laneOf(home);
  const command = message('once');
  const [one, two] = await Promise.all([lane.send(command), lane.send(command)]);
  await lane.settled();
  await home.conversations.closeAll();
  const again = await laneOf(await started({ disk: home.disk }));
  const three = await again.send(command);
  expect([two, three].map(({ receipt, replayed }) => ({ receipt, replayed }))).toEqual(
    [1, 2].map(() => ({ receipt: one!.receipt, replayed: true })),
  );
  expect(await again.send({ ...command, text: 'other' })).toMatchObject({
    refused: { code: 'command_conflict' },
  });
  expect((await turnsOf(again)).filter(turn => turn.endsWith('started'))).toEqual(['t1 started']);
});

it('34: two conversations run side by side; one answers in the order of its messages', async () => {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const begun: string[] = [];
  async function* script(turn: BackendTurn): AsyncGenerator<BackendEvent> {
    const { user } = turn.prompt;
    const gate = Promise.withResolvers<void>();
    gates.set(user, gate);
    yield session;
    begun.push(user);
    await gate.promise;
    yield done(user);
  }
  const until = async (text: string): Promise<void> => {
    while (!begun.includes(text)) await new Promise(resolve => setImmediate(resolve));
  };
  const home = await started({ script });
  const a = await laneOf(home);
  const { view } = await home.conversations.create({ ...bare(), scope: { kind: 'global' } });
  const b = await home.conversations.lane(view.id);
  for (const text of ['a1', 'a2', 'a3']) await a.send(message(text));
  await b.send(message('b1'));
  await until('a1');
  await until('b1');
  expect(begun.toSorted()).toEqual(['a1', 'b1']);
  for (const text of ['a1', 'a2', 'a3']) {
    await until(text);
    gates.get(text)!.resolve();
  }
  gates.get('b1')!.resolve();
  await home.conversations.settled();
  expect(begun.filter(text => text.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
});

it('35: a steered message joins the running turn, which replies once, and ends absorbed', async () => {
  const begun = Promise.withResolvers<void>();
  async function* script(_: BackendTurn, __: Host, inbox: InboxMessage[]): AsyncGenerator<BackendEvent> {
    yield session;
    begun.resolve();
    while (inbox.length === 0) await new Promise(resolve => setImmediate(resolve));
    const messages = inbox.map(offered => offered.id);
    yield { type: 'taken', messages };
    yield { type: 'seen', messages };
    yield done('both');
  }
  const home = await started({ script });
  const lane = await laneOf(home);
  await lane.send(message('one'));
  await begun.promise;
  expect(await lane.send(message('two', { delivery: 'steer' }))).toMatchObject({
    receipt: { did: { as: 'steering' } },
  });
  await lane.settled();
  expect(home.backend.turns).toHaveLength(1);
  const page = await lane.page(null, 1000);
  const events = 'events' in page ? page.events.map(({ event }) => event) : [];
  expect(events.filter(event => event.type === 'message' && event.by.kind === 'bot')).toHaveLength(1);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'message.moved', to: 'absorbed', into: 't1' }),
  );
});

it('36: a message that steers before its turn could take anything waits, and has a turn of its own', async () => {
  const gate = Promise.withResolvers<void>();
  const prompts: string[] = [];
  async function* script(turn: BackendTurn): AsyncGenerator<BackendEvent> {
    prompts.push(turn.prompt.user);
    // Accepted, and nothing of it streams yet: nothing is taken at any tool boundary.
    if (prompts.length === 1) await gate.promise;
    yield session;
    yield done(`heard ${prompts.length}`);
  }
  const home = await started({ script });
  const lane = await laneOf(home);
  await lane.send(message('one'));
  expect(await lane.send(message('two', { delivery: 'steer' }))).toMatchObject({
    receipt: { did: { turn: 't2' } },
  });
  expect(prompts.length).toBeLessThan(2);
  gate.resolve();
  await lane.settled();
  expect(home.backend.turns).toHaveLength(2);
  expect(prompts[1]).toContain('two');
  const turns = await turnsOf(lane);
  expect(turns.filter(turn => turn.endsWith('completed'))).toEqual(['t1 completed', 't2 completed']);
  expect(turns).not.toContain('t2 absorbed');
});

describe('an interrupt', () => {
  it('37: of a queued turn cancels it without the backend, of the running one cancels it and fails nothing', async () => {
    const { script, begun } = gated();
    const home = await started({ script });
    const lane = await laneOf(home);
    const { receipt } = await lane.send(message('one'));
    await begun;
    const queued = await lane.send(message('two'));
    await lane.unsend({ ...bare(), message: queued.receipt!.did.message! });
    await lane.interrupt({ ...bare(), turn: receipt!.did.turn! });
    await lane.settled();
    expect(home.backend.turns).toHaveLength(1);
    expect((await turnsOf(lane)).filter(turn => turn.endsWith('failed'))).toEqual([]);
    expect(await lane.interrupt({ ...bare(), turn: 't9' })).toMatchObject({
      refused: { code: 'unknown_turn' },
    });
  });
});

it('38: a turn ends although whoever sent it has gone, and another surface follows all of it', async () => {
  const { script, open, begun } = gated('the end');
  const lane = await laneOf(await started({ script }));
  const off = await lane.attach(null, () => undefined);
  await lane.send(message('go'));
  await begun;
  off();
  const frames: Frame[] = [];
  await lane.attach(null, frame => frames.push(frame));
  open();
  await lane.settled();
  expect(seqs(frames)).toEqual(seqs(frames).map((_, index) => index + 1));
  expect(await turnsOf(lane)).toContain('t1 completed');
});

it('39: a stop in the middle of a turn is told once and runs nothing again, however often it boots', async () => {
  const { script, begun } = gated();
  const home = await started({ script });
  const id: ConversationId = await home.conversations.default();
  await (await home.conversations.lane(id)).send(message('one'));
  await begun;
  let disk = home.disk.crash({ seed: 1 });
  for (let boot = 0; boot < 3; boot += 1) {
    const again = await started({ disk });
    const lane = await again.conversations.lane(id);
    expect(lane.view().pauses).toMatchObject([{ kind: 'recovery', cause: 'interrupted' }]);
    const page = await lane.page(null, 1000);
    const opened = 'events' in page ? page.events.filter(({ event }) => event.type === 'pause.opened') : [];
    expect(opened).toHaveLength(1);
    expect(again.backend.turns).toEqual([]);
    disk = disk.crash({ seed: 1 });
  }
});
