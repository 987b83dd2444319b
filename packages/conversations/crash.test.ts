import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { SendMessage } from '@hearth/protocol/command.ts';
import { parseCursor } from '@hearth/protocol/cursor.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import { enumerateCrashes } from '@hearth/store/enumerate-crashes.ts';
import type { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import type { Lane } from './lane.ts';
import { ada, done, HOME, message, sample, session, started, type Sample } from './testing/sample-home.ts';

/* Crashes before every call to the disk, for several choices of what survives, and looks at what the next boot finds. */

/** What was told to somebody, and must hold after any crash. */
interface Told {
  readonly acknowledged: Map<SendMessage, Reply>;
  /** Cursors that were sent, by sequence number. */
  readonly cursors: Map<number, string>;
  id: ConversationId | null;
}

const nothing = (): Told => ({ acknowledged: new Map(), cursors: new Map(), id: null });

/** Asks at the word `ask`, narrates, and answers. */
async function* script(turn: {
  prompt: { user: string };
  answers: readonly unknown[];
}): AsyncGenerator<BackendEvent> {
  yield session;
  yield { type: 'narration', text: 'thinking' };
  if (turn.prompt.user.includes('ask') && turn.answers.length === 0) {
    yield {
      type: 'parked',
      asks: [{ text: 'Which?', options: [{ id: 'a', label: 'A' }], allowFreeText: false }],
      permits: [],
    };
    return;
  }
  yield done(`heard ${turn.prompt.user}`);
}

/** Whoever works on a disk that stops is told in its own words; that it stopped is all that matters here. */
async function untilStopped(disk: SimDisk, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (disk.stoppedBefore === null) throw thrown;
  }
}

const commands = ['one', 'ask'].map(text => message(text));

async function work(home: Sample, told: Told): Promise<void> {
  const { conversations } = home;
  await conversations.initialise();
  await conversations.resume();
  told.id = await conversations.default();
  const lane = await conversations.lane(told.id);
  await lane.attach(null, frame => {
    if (frame.frame === 'event') told.cursors.set(frame.event.seq, frame.cursor);
  });
  for (const command of commands) {
    told.acknowledged.set(command, await lane.send(command));
    await lane.settled();
    const [question] = lane.view().pauses.filter(pause => pause.kind === 'question');
    if (question === undefined) continue;
    const { commandId } = message('');
    await lane.decide({ commandId, actor: ada, pause: question.id, act: { do: 'answer', option: 'a' } });
    await lane.settled();
  }
  await conversations.closeAll();
}

async function allEvents(lane: Lane) {
  const page = await lane.page(null, 500);
  if ('code' in page) throw new Error(page.code);
  return page.events;
}

/** Boots on what survived and compares it with what was told. */
async function check(disk: SimDisk, told: Told): Promise<void> {
  const { conversations } = await started({ disk, script });
  const id = await conversations.default();
  if (told.id !== null) expect(id).toBe(told.id);
  const lane = await conversations.lane(id);
  await lane.settled();
  const events = await allEvents(lane);
  expect(events.map(({ event }) => event.seq)).toEqual(events.map((_, index) => index + 1));
  for (const [seq, cursor] of told.cursors) expect(events[seq - 1]?.cursor).toBe(cursor);
  expect(lane.view().head).toBe(events.at(-1)?.cursor);

  const { items } = await lane.history(null, 100);
  const said = items.flatMap(line => (line.is === 'said' ? [line.text] : []));
  expect(new Set(said).size).toBe(said.length);
  for (const [command, reply] of told.acknowledged) {
    expect(said).toContain(command.text);
    expect(await lane.send(command)).toMatchObject({ replayed: true, receipt: reply.receipt });
  }
  expect((await lane.history(null, 100)).items).toEqual(items);
  const heads = items.map(line => line.seq);
  expect(heads).toEqual(heads.toSorted((a, b) => a - b));

  // What was opened is what anybody else would open: the state is a function of what is on the disk.
  await conversations.closeAll();
  const again = await started({ disk, script });
  expect((await again.conversations.lane(id)).view()).toEqual(lane.view());
  // And it goes on: the next message has an effect and new numbers.
  const next = await again.conversations.lane(id);
  const before = parseCursor(next.view().head)?.seq ?? 0;
  const reply = await next.send(message('afterwards'));
  expect(parseCursor(reply.receipt?.at ?? '')?.seq).toBeGreaterThan(before);
  await again.conversations.closeAll();
}

describe('a crash before any call to the disk', () => {
  it('R13.8: loses nothing that was acknowledged and gives no number out twice', async () => {
    const { calls, cases } = await enumerateCrashes<Told>({
      progress: nothing,
      act: (disk, told) => untilStopped(disk, () => work(sample({ disk, script }), told)),
      check,
      seeds: [0, 2, 5],
    });
    expect(calls).toBeGreaterThan(80);
    expect(cases).toBeGreaterThan(200);
  });

  it('leaves a conversation that was trimmed with its own boundary', async () => {
    const ground = await started({ script });
    const lane = await ground.conversations.lane(await ground.conversations.default());
    for (let turn = 0; turn < 35; turn += 1) {
      await lane.send(message(`before ${turn}`));
      await lane.settled();
    }
    const before = parseCursor(lane.view().head)?.seq ?? 0;
    expect(before).toBeLessThan(500);
    await ground.conversations.closeAll();
    const command = message('over the limit');
    let trims = 0;
    await enumerateCrashes<{ acknowledged: boolean }>({
      setup: disk => copy(ground.disk, disk),
      progress: () => ({ acknowledged: false }),
      act: (disk, progress) =>
        untilStopped(disk, async () => {
          const { conversations } = await started({ disk, script });
          const trimmed = await conversations.lane(await conversations.default());
          for (let more = 0; more < 1; more += 1) {
            await trimmed.send(more === 0 ? command : message(`more ${more}`));
            progress.acknowledged = true;
            await trimmed.settled();
          }
          await conversations.closeAll();
        }),
      async check(disk, { acknowledged }) {
        const { conversations } = await started({ disk, script });
        const opened = await conversations.lane(await conversations.default());
        const events = await allEvents(opened);
        const retained = parseCursor(opened.view().retained)?.seq ?? 0;
        if (retained > 0) trims += 1;
        expect(events.map(({ event }) => event.seq)).toEqual(events.map((_, index) => retained + index + 1));
        expect(events.length).toBeGreaterThanOrEqual(400);
        const said = (await opened.history(null, 1000)).items.filter(line => line.is === 'said');
        if (acknowledged) expect(said.length).toBeGreaterThan(35);
      },
      seeds: [2],
    });
    expect(trims).toBeGreaterThan(0);
  });
});

describe('a boot after a crash', () => {
  it('can be cut short anywhere, again and again, and ends in the same recovery', async () => {
    const begun = Promise.withResolvers<void>();
    const ground = await started({
      async *script() {
        yield session;
        begun.resolve();
        await new Promise(() => undefined);
      },
    });
    const command = message('work');
    const lane = await ground.conversations.lane(await ground.conversations.default());
    const first = await lane.send(command);
    await begun.promise;
    const { calls } = await enumerateCrashes<null>({
      setup: disk => copy(ground.disk, disk),
      progress: () => null,
      act: disk => untilStopped(disk, async () => void (await started({ disk, script }))),
      async check(disk) {
        const { conversations, backend } = await started({ disk, script });
        const opened = await conversations.lane(await conversations.default());
        expect(opened.view()).toMatchObject({
          state: 'waiting',
          pauses: [{ kind: 'recovery', cause: 'interrupted' }],
        });
        expect(await opened.send(command)).toMatchObject({ replayed: true, receipt: first.receipt });
        const events = await allEvents(opened);
        expect(events.map(({ event }) => event.seq)).toEqual(events.map((_, index) => index + 1));
        expect(events.filter(({ event }) => event.type === 'pause.opened')).toHaveLength(1);
        expect(backend.turns).toHaveLength(0);
      },
    });
    expect(calls).toBeGreaterThan(20);
  });
});

describe('creating another conversation', () => {
  it('is done once however often it is cut short and sent again', async () => {
    const command = {
      commandId: message('').commandId,
      actor: ada,
      scope: { kind: 'global' } as const,
      title: 'Other',
    };
    await enumerateCrashes<{ id: string | null }>({
      setup: async disk => void (await started({ disk })),
      progress: () => ({ id: null }),
      act: (disk, progress) =>
        untilStopped(disk, async () => {
          const { conversations } = await started({ disk });
          progress.id = (await conversations.create(command)).view.id;
        }),
      async check(disk, { id }) {
        for (let boot = 0; boot < 2; boot += 1) {
          const { conversations } = await started({ disk });
          const { view } = await conversations.create(command);
          if (id !== null) expect(view.id).toBe(id);
          expect((await conversations.list({})).rows).toHaveLength(2);
          expect((await disk.list(`${HOME}/conversations`)).filter(name => name.startsWith('.'))).toEqual([]);
        }
      },
    });
  });

  it('closing it leaves it there or in the trash, and nowhere else', async () => {
    let closed = 0;
    await enumerateCrashes<{ done: boolean }>({
      setup: async disk => {
        const { conversations } = await started({ disk });
        await conversations.create({
          commandId: message('').commandId,
          actor: ada,
          scope: { kind: 'global' },
        });
        await conversations.closeAll();
      },
      progress: () => ({ done: false }),
      act: (disk, progress) =>
        untilStopped(disk, async () => {
          const { conversations } = await started({ disk });
          const row = (await conversations.list({})).rows.find(other => !other.isDefault);
          await conversations.close(row!.id, { commandId: message('').commandId, actor: ada });
          progress.done = true;
        }),
      async check(disk, progress) {
        const { conversations } = await started({ disk });
        const { rows, damaged } = await conversations.list({});
        const inTrash = (await disk.list(`${HOME}/trash`)).length;
        expect(rows.length - 1 + inTrash).toBe(1);
        expect(damaged).toEqual([]);
        if (progress.done) expect(inTrash).toBe(1);
        closed += inTrash;
      },
    });
    expect(closed).toBeGreaterThan(0);
  });
});

/** Copies a home, durably. */
async function copy(from: SimDisk, to: SimDisk, path: string = HOME): Promise<void> {
  await to.makeDirectory(path);
  for (const name of await from.list(path)) {
    const child = `${path}/${name}`;
    if ((await from.stat(child))?.kind === 'directory') await copy(from, to, child);
    else await to.write(child, (await from.read(child))!);
  }
}
