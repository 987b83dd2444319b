import type { Frame, HomeFrame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { describe, expect, it } from 'vitest';
import { chatPlan } from '@hearth/engine/testing/sample-plan.ts';
import { ada, botOf, HOME, message, sample, SampleBots, started, textOfFile } from './testing/sample-home.ts';

const encoder = new TextEncoder();

function bare() {
  const { commandId, actor } = message('');
  return { commandId, actor };
}

function create(more: object = {}) {
  return { ...bare(), scope: { kind: 'global' } as const, ...more };
}

describe('initialising a home', () => {
  it('makes the default conversation once, and never again', async () => {
    const home = await started();
    const { rows } = await home.conversations.list({});
    expect(rows).toMatchObject([
      { title: 'Nexie', bot: 'whats-next', isDefault: true, scope: { kind: 'global' } },
    ]);
    expect(await textOfFile(home.disk, `${HOME}/home.json`)).toContain('"format":1');
    await home.disk.remove(`${HOME}/conversations/${rows[0]!.id}`);
    const again = await started({ disk: home.disk });
    expect((await again.conversations.list({})).rows).toEqual([]);
    await expect(again.conversations.default()).rejects.toMatchObject({ code: 'default_missing' });
  });

  it('repairs what a stop left half made', async () => {
    const disk = new SimDisk();
    await disk.makeDirectory(`${HOME}/conversations/.new-c_x/epochs`);
    await started({ disk });
    expect(await disk.list(`${HOME}/conversations`)).toHaveLength(1);
  });
});

describe('the default conversation', () => {
  it('is ambiguous when two claim to be it, until one is chosen', async () => {
    const home = await started();
    const { view } = await home.conversations.create(create());
    const record = `${HOME}/conversations/${view.id}/conversation.json`;
    await home.conversations.closeAll();
    const text = await textOfFile(home.disk, record);
    await home.disk.write(record, encoder.encode(text.replace('"default":false', '"default":true')));
    const again = (await started({ disk: home.disk })).conversations;
    await expect(again.default()).rejects.toMatchObject({
      code: 'default_ambiguous',
      message: expect.stringContaining(view.id),
    });
    await again.makeDefault(view.id);
    expect(await again.default()).toBe(view.id);
    const { rows } = await (await started({ disk: home.disk })).conversations.list({});
    expect(rows.filter(row => row.isDefault)).toHaveLength(1);
  });
});

describe('creating', () => {
  it('takes the title from the bot, and the same command gives the same conversation', async () => {
    const home = await started();
    const command = create();
    const first = await home.conversations.create(command);
    expect(first).toMatchObject({ replayed: false, view: { title: 'Sample', isDefault: false } });
    expect(await home.conversations.create(command)).toMatchObject({
      replayed: true,
      view: { id: first.view.id },
    });
    const again = (await started({ disk: home.disk })).conversations;
    expect(await again.create(command)).toMatchObject({ replayed: true, view: { id: first.view.id } });
    expect(await again.create({ ...command, title: 'Other' })).toMatchObject({
      refused: { code: 'command_conflict' },
    });
    await again.close(first.view.id, bare());
    await expect(again.create(command)).rejects.toMatchObject({ code: 'unknown_conversation' });
  });

  it.each([
    ['relative/path', 'is not absolute'],
    ['/place/../place', 'shortest form'],
    ['/place/', 'shortest form'],
    ['/nowhere', 'does not exist'],
    ['/place/file', 'directories alone'],
  ])('refuses to work in %s', async (path, why) => {
    const home = await started();
    await home.disk.makeDirectory('/place');
    await home.disk.write('/place/file', encoder.encode('x'));
    const made = home.conversations.create(create({ scope: { kind: 'workspace', path } }));
    await expect(made).rejects.toMatchObject({
      code: 'invalid_workspace',
      message: expect.stringContaining(why),
    });
    expect((await home.conversations.list({})).rows).toHaveLength(1);
  });

  it('works in a workspace, whatever a message says', async () => {
    const home = await started();
    await home.disk.makeDirectory('/place/here');
    const { view } = await home.conversations.create(
      create({ scope: { kind: 'workspace', path: '/place/here' } }),
    );
    const lane = await home.conversations.lane(view.id);
    await lane.send(message('hi', { workspace: '/elsewhere' }));
    await lane.settled();
    expect(home.backend.turns[0]?.workspace).toBe('/place/here');
  });

  it('names a bot that is not there', async () => {
    const home = await started();
    await expect(home.conversations.create(create({ bot: 'nobody' }))).rejects.toMatchObject({
      code: 'unknown_bot',
    });
  });
});

describe('the list', () => {
  it('shows the latest first and filters', async () => {
    const home = await started();
    home.clock.advance(1000);
    const { view } = await home.conversations.create(create({ title: 'Second one' }));
    const ids = async (filter: object) => (await home.conversations.list(filter)).rows.map(row => row.id);
    expect((await ids({}))[0]).toBe(view.id);
    expect(await ids({ text: 'second' })).toEqual([view.id]);
    expect(await ids({ state: 'waiting' })).toEqual([]);
    home.clock.advance(1000);
    const chosen = await home.conversations.default();
    await (await home.conversations.lane(chosen)).send(message('hi'));
    expect((await ids({}))[0]).toBe(chosen);
    const before = (await home.conversations.list({})).rows;
    await (await home.conversations.lane(chosen)).settled();
    await home.conversations.closeAll();
    const again = (await started({ disk: home.disk })).conversations;
    expect((await again.list({})).rows.map(row => row.updatedAt)).toEqual(before.map(row => row.updatedAt));
  });

  it('asks the disk once, and for no conversation, however many there are', async () => {
    const home = await started();
    for (let n = 0; n < 10; n += 1) await home.conversations.create(create());
    await home.conversations.closeAll();
    const again = await started({ disk: home.disk });
    const asked: string[] = [];
    for (const call of ['read', 'readMany', 'marksOf', 'readRange', 'stat', 'list', 'usage'] as const) {
      const own = again.disk[call].bind(again.disk) as (...given: unknown[]) => unknown;
      const heard = (...given: unknown[]): unknown => {
        asked.push(`${call} ${JSON.stringify(given)}`);
        return own(...given);
      };
      Object.assign(again.disk, { [call]: heard });
    }
    expect((await again.conversations.list({})).rows).toHaveLength(11);
    expect(asked).toEqual([`list ["${HOME}/quarantine"]`]);
  });

  it('reports a conversation that cannot be read, sets it aside, and goes on with the others', async () => {
    const home = await started();
    const { view } = await home.conversations.create(create());
    await home.conversations.closeAll();
    await home.disk.write(`${HOME}/conversations/${view.id}/conversation.json`, encoder.encode('{"form'));
    await home.disk.remove(`${HOME}/conversations/${view.id}/epochs/1/snapshot.json`);
    for (let boot = 0; boot < 2; boot += 1) {
      const { conversations } = await started({ disk: home.disk });
      const { rows, damaged } = await conversations.list({});
      expect(rows).toHaveLength(1);
      expect(damaged).toMatchObject([
        { name: expect.stringContaining(view.id), why: expect.stringContaining('not JSON') },
      ]);
      await expect(conversations.lane(view.id)).rejects.toMatchObject({ code: 'unknown_conversation' });
    }
  });

  it('names conversations by a beginning that fits no other', async () => {
    const { conversations } = await started();
    const { view } = await conversations.create(create());
    expect((await conversations.lane(view.id.slice(2))).id).toBe(view.id);
    await expect(conversations.lane('c_0000')).rejects.toMatchObject({ code: 'ambiguous_conversation' });
    await expect(conversations.lane('zz')).rejects.toMatchObject({ code: 'unknown_conversation' });
    await expect(conversations.lane('')).rejects.toMatchObject({ code: 'unknown_conversation' });
  });
});

describe('changing', () => {
  it('renames, pins and changes the bot, and tells of each once', async () => {
    const bots = new SampleBots();
    bots.bots.set('hello', botOf(chatPlan({ cap: 7 }), 'hello'));
    const home = await started({ bots });
    const id = await home.conversations.default();
    const command = { ...bare(), title: 'Home', pinned: true, bot: 'hello' };
    expect(await home.conversations.change(id, command)).toMatchObject({
      view: { title: 'Home', pinned: true, bot: 'hello' },
    });
    expect(await home.conversations.change(id, command)).toMatchObject({ replayed: true });
    await home.conversations.closeAll();
    const again = (await started({ disk: home.disk, bots })).conversations;
    expect((await again.list({})).rows).toMatchObject([{ title: 'Home', pinned: true, bot: 'hello' }]);
    const page = await (await again.lane(id)).page(null, 100);
    expect(
      'events' in page && page.events.map(({ event }) => event.type === 'conversation' && event.change),
    ).toEqual(['created', 'renamed', 'pinned', 'bot']);
  });

  it('gives no other bot while a turn is queued or runs, and then to the next run', async () => {
    const gate = Promise.withResolvers<void>();
    const bots = new SampleBots();
    const plan = chatPlan({ cap: 7 });
    const { chat: _chat, ...nodes } = plan.nodes;
    bots.bots.set('hello', botOf({ ...plan, nodes }, 'hello'));
    const home = await started({
      bots,
      async *script() {
        yield { type: 'session', id: 's', fingerprint: 'f', how: 'opened' };
        await gate.promise;
        yield { type: 'done', output: { reply: 'ok', close: false, quick_replies: [] }, text: 'ok' };
      },
    });
    const lane = await home.conversations.lane(await home.conversations.default());
    await lane.send(message('work'));
    const before = lane.view().run?.plan;
    const refused = await home.conversations.change(lane.id, { ...bare(), bot: 'hello' });
    expect(refused).toMatchObject({
      receipt: null,
      refused: { code: 'active' },
      view: { bot: 'whats-next' },
    });
    gate.resolve();
    await lane.settled();
    expect((await home.conversations.change(lane.id, { ...bare(), bot: 'hello' })).view.bot).toBe('hello');
    await lane.settled();
    expect(lane.view().run?.plan).toBe(before);
    expect(lane.view().pauses).toMatchObject([{ kind: 'chat' }, { cause: 'plan_changed' }]);
  });

  it('that stopped between the record and the log is told at the next opening', async () => {
    const home = await started();
    const id = await home.conversations.default();
    await home.conversations.closeAll();
    const path = `${HOME}/conversations/${id}/conversation.json`;
    const text = await textOfFile(home.disk, path);
    await home.disk.write(path, encoder.encode(text.replace('"Nexie"', '"Renamed"')));
    for (let boot = 0; boot < 2; boot += 1) {
      const again = (await started({ disk: home.disk })).conversations;
      const page = await (await again.lane(id)).page(null, 100);
      expect('events' in page && page.events).toMatchObject([
        {},
        { event: { change: 'renamed', title: 'Renamed' } },
      ]);
      await again.closeAll();
    }
  });
});

describe('closing', () => {
  it('is refused for the default and for one that works, and else moves it into the trash', async () => {
    const never = Promise.withResolvers<void>();
    const home = await started({
      async *script() {
        yield { type: 'session', id: 's', fingerprint: 'f', how: 'opened' };
        await never.promise;
      },
    });
    const { conversations } = home;
    expect(await conversations.close(await conversations.default(), bare())).toMatchObject({
      refused: { code: 'default' },
    });
    const { view } = await conversations.create(create());
    const lane = await conversations.lane(view.id);
    await lane.send(message('work'));
    expect(await conversations.close(view.id, bare())).toMatchObject({ refused: { code: 'active' } });
    await lane.interrupt({ ...bare(), turn: 't1' });
    await lane.settled();
    const [frames, home_]: [Frame[], HomeFrame[]] = [[], []];
    await lane.attach(null, frame => frames.push(frame));
    conversations.watch(frame => home_.push(frame));
    expect(await conversations.close(view.id, bare())).toMatchObject({ receipt: { command: 'close' } });
    expect(frames.at(-1)).toMatchObject({ frame: 'recover', recovery: { code: 'unknown_conversation' } });
    expect(home_).toEqual([{ frame: 'removed', conversation: view.id }]);
    await expect(conversations.lane(view.id)).rejects.toMatchObject({ code: 'unknown_conversation' });
    await expect(lane.send(message('late'))).rejects.toMatchObject({ code: 'unknown_conversation' });
    const [name] = await home.disk.list(`${HOME}/trash`);
    expect(await textOfFile(home.disk, `${HOME}/trash/${name}/trash.json`)).toContain(ada.name);
    expect((await sample({ disk: home.disk }).conversations.list({})).rows).toHaveLength(1);
  });
});

it('opens one lane however many ask at once', async () => {
  const { conversations } = await started();
  const id: ConversationId = await conversations.default();
  const lanes = await Promise.all(Array.from({ length: 5 }, () => conversations.lane(id)));
  expect(new Set(lanes).size).toBe(1);
  await conversations.closeAll();
  await expect(conversations.lane(id)).rejects.toMatchObject({ code: 'closed' });
});
