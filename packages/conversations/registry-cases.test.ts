import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '@hearth/protocol/scope.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { diskError } from '@hearth/store/disk-fault.ts';
import { SimDisk } from '@hearth/store/sim-disk.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf } from './testing/files.ts';
import { ada, HOME, message, type Sample, session, started, textOfFile } from './testing/sample-home.ts';
import { checkScope } from './workspace-scope.ts';

/* The cases of the registry, 1 to 10 and 19, by their numbers. */

const bare = () => ({ commandId: message('').commandId, actor: ada });
const create = (more: object = {}) => ({ ...bare(), scope: { kind: 'global' } as const, ...more });
const encoder = new TextEncoder();

/** The records of the registry alone: opening a conversation keeps its bot's plan beside them. */
async function recordsOf(disk: SimDisk): Promise<readonly [string, string][]> {
  return Object.entries(await filesOf(disk)).filter(([path]) => /(conversation|home)\.json$/.test(path));
}

async function edited(home: Sample, id: string, change: (text: string) => string): Promise<Sample> {
  await home.conversations.closeAll();
  const path = `${HOME}/conversations/${id}/conversation.json`;
  await home.disk.write(path, encoder.encode(change(await textOfFile(home.disk, path))));
  return started({ disk: home.disk });
}

describe('the default conversation', () => {
  it('1: the first boot of an empty home makes exactly one, global and with nothing in it', async () => {
    const { conversations } = await started();
    const { rows } = await conversations.list({});
    expect(rows).toMatchObject([{ isDefault: true, scope: { kind: 'global' }, state: 'idle' }]);
    expect((await conversations.lane(rows[0]!.id)).view()).toMatchObject({ revision: 0, run: null });
  });

  it('2: the second boot makes no other and leaves every file as it was', async () => {
    const home = await started();
    await home.conversations.closeAll();
    const before = await filesOf(home.disk);
    const again = await started({ disk: home.disk });
    await again.conversations.default();
    expect(await filesOf(home.disk)).toEqual(before);
  });

  it('3: of two on the disk none is chosen for the person; both are named with the command that chooses', async () => {
    const home = await started();
    const first = await home.conversations.default();
    const { view } = await home.conversations.create(create());
    const { conversations } = await edited(home, view.id, text =>
      text.replace('"default":false', '"default":true'),
    );
    const refused = await conversations.default().catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'default_ambiguous' });
    for (const part of [first, view.id, 'hearth default'])
      expect(refused).toMatchObject({ message: expect.stringContaining(part) });
    await conversations.makeDefault(first);
    expect(await conversations.default()).toBe(first);
  });

  it('4: none is `default_missing`, two are `default_ambiguous`, and asking makes nothing', async () => {
    const home = await started();
    const { conversations } = await edited(home, await home.conversations.default(), text =>
      text.replace('"default":true', '"default":false'),
    );
    const before = await filesOf(home.disk);
    await expect(conversations.default()).rejects.toMatchObject({
      code: 'default_missing',
      message: expect.stringContaining('"hearth default ID"'),
    });
    expect(await filesOf(home.disk)).toEqual(before);
    const [row] = (await conversations.list({})).rows;
    await conversations.makeDefault(row!.id);
    expect(await conversations.default()).toBe(row!.id);
  });

  it('4: an empty home is told to make one first', async () => {
    const home = await started();
    const id = await home.conversations.default();
    await home.conversations.closeAll();
    await home.disk.remove(`${HOME}/conversations/${id}`);
    await expect((await started({ disk: home.disk })).conversations.default()).rejects.toMatchObject({
      code: 'default_missing',
      message: expect.stringContaining('"hearth new"'),
    });
  });

  it('5: selecting it changes no byte of the registry', async () => {
    const home = await started();
    await home.conversations.create(create());
    await home.conversations.closeAll();
    const before = await recordsOf(home.disk);
    const { conversations } = await started({ disk: home.disk });
    expect((await conversations.lane(await conversations.default())).view().isDefault).toBe(true);
    await conversations.closeAll();
    expect(await recordsOf(home.disk)).toEqual(before);
  });

  it('must be global', async () => {
    const home = await started();
    await home.disk.makeDirectory('/place');
    const { view } = await home.conversations.create(
      create({ scope: { kind: 'workspace', path: '/place' } }),
    );
    await expect(home.conversations.makeDefault(view.id)).rejects.toMatchObject({ code: 'not_global' });
  });
});

it('6: an unknown conversation is a typed refusal, and nothing is made', async () => {
  const home = await started();
  const before = await filesOf(home.disk);
  for (const name of ['c_00000000000000000000zzzzzz', 'zz', ''])
    await expect(home.conversations.lane(name)).rejects.toMatchObject({ code: 'unknown_conversation' });
  expect(await filesOf(home.disk)).toEqual(before);
});

describe('7: a workspace', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'hearth-scope-'));
    await nodeDisk.makeDirectory(join(root, 'real'));
    await writeFile(join(root, 'file'), '');
    await symlink(join(root, 'file'), join(root, 'to-file'));
    await symlink(join(root, 'real'), join(root, 'to-real'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const scoped = (path: string): Scope => ({ kind: 'workspace', path });

  it.each(['relative', 'missing', 'file', 'to-file', 'to-real'])('that is %s is refused', async name => {
    const path = name === 'relative' ? 'real' : join(root, name);
    await expect(checkScope(nodeDisk, scoped(path))).rejects.toMatchObject({ code: 'invalid_workspace' });
  });

  it('that is a real directory is taken', async () => {
    await expect(checkScope(nodeDisk, scoped(join(root, 'real')))).resolves.toBeUndefined();
  });

  it('never changes', async () => {
    const home = await started();
    await home.disk.makeDirectory('/place');
    const { view } = await home.conversations.create(create({ scope: scoped('/place') }));
    await home.conversations.change(view.id, { ...bare(), title: 'Other', pinned: true });
    await home.conversations.reset(view.id, bare());
    expect((await home.conversations.lane(view.id)).view().scope).toEqual(scoped('/place'));
  });
});

describe('closing', () => {
  it('8: the default, one at work and an unknown one are refused by name, and no byte changes', async () => {
    const gate = Promise.withResolvers<void>();
    const home = await started({
      async *script() {
        yield session;
        await gate.promise;
      },
    });
    const { conversations } = home;
    const { view } = await conversations.create(create());
    const lane = await conversations.lane(view.id);
    await lane.send(message('work'));
    while (lane.view().session === null) await new Promise(resolve => setImmediate(resolve));
    await conversations.lane(await conversations.default());
    const before = await filesOf(home.disk);
    expect(await conversations.close(await conversations.default(), bare())).toMatchObject({
      refused: { code: 'default' },
    });
    expect(await conversations.close(view.id, bare())).toMatchObject({ refused: { code: 'active' } });
    await expect(conversations.close('c_zz', bare())).rejects.toMatchObject({ code: 'unknown_conversation' });
    expect(await filesOf(home.disk)).toEqual(before);
  });

  it('9: takes the whole directory away, and its lane with it', async () => {
    const home = await started();
    const { view } = await home.conversations.create(create());
    const lane = await home.conversations.lane(view.id);
    await lane.send(message('hi'));
    await lane.settled();
    const before = await filesOf(home.disk, `${HOME}/conversations/${view.id}`);
    await home.conversations.close(view.id, bare());
    expect(await home.disk.stat(`${HOME}/conversations/${view.id}`)).toBeNull();
    await expect(lane.ready()).rejects.toMatchObject({ code: 'unknown_conversation' });
    const [entry] = await home.conversations.trash();
    const kept = await filesOf(home.disk, `${HOME}/trash/${entry!.name}`);
    expect(Object.keys(kept)).toHaveLength(Object.keys(before).length + 1);
    expect(await textOfFile(home.disk, `${HOME}/trash/${entry!.name}/epochs/1/transcript.jsonl`)).toContain(
      'hi',
    );
  });

  it('10: is refused while a second, queued message has its turn before it', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const home = await started({
      async *script(turn) {
        yield session;
        await gates[turn.prompt.user.includes('two') ? 1 : 0]!.promise;
        yield { type: 'done', output: { reply: 'ok', close: false, quick_replies: [] }, text: 'ok' };
      },
    });
    const { view } = await home.conversations.create(create());
    const lane = await home.conversations.lane(view.id);
    await lane.send(message('one'));
    await lane.send(message('two'));
    gates[0]!.resolve();
    while (home.backend.turns.length < 2) await new Promise(resolve => setImmediate(resolve));
    expect(await home.conversations.close(view.id, bare())).toMatchObject({ refused: { code: 'active' } });
    gates[1]!.resolve();
    await lane.settled();
    expect((await home.conversations.close(view.id, bare())).receipt).not.toBeNull();
  });
});

/** A disk on which one file may not be read. */
class GuardedDisk extends SimDisk {
  static refused: string | null = null;
  override read(path: string): ReturnType<SimDisk['read']> {
    if (path === GuardedDisk.refused) return Promise.reject(diskError('no_permission', path, 'EACCES'));
    return super.read(path);
  }
}

describe('19: what cannot be read', () => {
  it.each([
    ['is damaged', '{"form'],
    ['is another’s', '{"format":1}'],
    ['is of a newer Hearth', '{"format":2}'],
  ])(
    'and %s, with nothing to mend it by, is set aside, told, counted, and never lost',
    async (_name, text) => {
      const home = await started();
      const { view } = await home.conversations.create(create());
      await home.conversations.closeAll();
      const root = `${HOME}/conversations/${view.id}`;
      await home.disk.write(`${root}/conversation.json`, encoder.encode(text));
      await home.disk.remove(`${root}/epochs/1/snapshot.json`);
      const { conversations } = await started({ disk: home.disk });
      const { rows, damaged } = await conversations.list({});
      expect(rows).toHaveLength(1);
      expect(damaged).toMatchObject([{ name: expect.stringContaining(view.id), inPlace: false }]);
      expect((await conversations.plan()).bytes.quarantine).toBeGreaterThan(0);
      expect(await home.disk.stat(`${HOME}/quarantine/${damaged[0]!.name}/${view.id}/epochs`)).not.toBeNull();
    },
  );

  it('for a reason that may pass is told and left in its place, and is there again when it has passed', async () => {
    const home = await started({ disk: new GuardedDisk() });
    const { view } = await home.conversations.create(create());
    await home.conversations.closeAll();
    const record = `${HOME}/conversations/${view.id}/conversation.json`;
    GuardedDisk.refused = record;
    const { conversations } = await started({ disk: home.disk });
    for (let look = 0; look < 2; look += 1) {
      const { rows, damaged } = await conversations.list({});
      expect(rows).toHaveLength(1);
      expect(damaged).toMatchObject([{ name: view.id, inPlace: true, why: expect.stringContaining(record) }]);
    }
    await expect(conversations.lane(view.id)).rejects.toMatchObject({ code: 'damaged_conversation' });
    expect((await conversations.plan()).bytes.unreadable).toBeGreaterThan(0);
    expect((await conversations.lane(await conversations.default())).view().isDefault).toBe(true);
    GuardedDisk.refused = null;
    expect((await conversations.lane(view.id)).view().id).toBe(view.id);
    expect((await conversations.list({})).rows).toHaveLength(2);
  });

  it('because a file or something else lies in its place is set aside', async () => {
    const home = await started();
    await home.conversations.closeAll();
    await home.disk.write(`${HOME}/conversations/c_00000000000000000000000zzz`, encoder.encode('x'));
    await home.disk.write(`${HOME}/conversations/notes.txt`, encoder.encode('mine'));
    const { conversations } = await started({ disk: home.disk });
    const { rows, damaged } = await conversations.list({});
    expect(rows).toHaveLength(1);
    expect(damaged).toHaveLength(2);
    expect(await home.disk.list(`${HOME}/conversations`)).toEqual([rows[0]!.id]);
    const kept = Object.values(await filesOf(home.disk, `${HOME}/quarantine`));
    expect(kept).toContain('mine');
  });
});
