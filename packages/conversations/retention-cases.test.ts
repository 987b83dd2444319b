import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HomeStore } from './home-store.ts';
import type { RetentionOptions } from './keeper.ts';
import { DAY_MS } from './retention.ts';
import { ada, done, HOME, message, type Sample, session, started } from './testing/sample-home.ts';

/* The cases of retention, 11 to 18 and 20, by their numbers, on whole homes. */

const bare = () => ({ commandId: message('').commandId, actor: ada });

function retention(limits: Partial<RetentionOptions['limits']> = {}): RetentionOptions {
  return {
    limits: { conversations: 64, days: 30, bytes: 1_000_000, ...limits },
    trash: { days: 7, bytes: 1_000_000 },
  };
}

/** Makes a conversation, a millisecond after everything before, and waits for the pass that it makes due. */
async function made(home: Sample, title = 'Other', bytes = 0): Promise<ConversationId> {
  home.clock.advance(1);
  const { view } = await home.conversations.create({ ...bare(), scope: { kind: 'global' }, title });
  await home.conversations.retained();
  if (bytes === 0) return view.id;
  await home.disk.write(`${HOME}/conversations/${view.id}/epochs/1/blobs/x`, new Uint8Array(bytes));
  // It is measured again because something was written by the conversation itself.
  await home.conversations.change(view.id, { ...bare(), title });
  return view.id;
}

const titles = async ({ conversations }: Sample) =>
  (await conversations.list({})).rows.map(row => row.title).toSorted();

/** Works until `open` is called for a message that says "work"; answers the others at once. */
function gated() {
  const gate = Promise.withResolvers<void>();
  async function* script(turn: { prompt: { user: string } }): AsyncGenerator<BackendEvent> {
    yield session;
    if (turn.prompt.user.includes('work')) await gate.promise;
    yield done('ok');
  }
  return { script, open: () => gate.resolve() };
}

async function working(home: Sample, id: ConversationId): Promise<void> {
  const lane = await home.conversations.lane(id);
  await lane.send(message('work'));
  while (lane.view().state !== 'working') await new Promise(resolve => setImmediate(resolve));
}

it('R13.40: 11: exactly 64 stay, the default counted, and the 65th moves the oldest idle one out', async () => {
  const home = await started({ retention: retention() });
  for (let n = 1; n <= 63; n += 1) await made(home, `no ${n}`);
  expect(await titles(home)).toHaveLength(64);
  await made(home, 'no 64');
  expect(await titles(home)).toHaveLength(64);
  expect(await titles(home)).not.toContain('no 1');
  expect(await titles(home)).toContain('Nexie');
  expect(await home.conversations.trash()).toMatchObject([
    { title: 'no 1', by: { kind: 'policy' }, why: expect.stringContaining('64') },
  ]);
});

it('12: when all others work, a new one is made all the same, and the surplus goes when one has settled', async () => {
  const { script, open } = gated();
  const home = await started({ retention: retention({ conversations: 3 }), script });
  for (const title of ['a', 'b']) await working(home, await made(home, title));
  await made(home, 'new');
  expect(await titles(home)).toEqual(['Nexie', 'a', 'b', 'new']);
  home.clock.advance(1);
  open();
  await home.conversations.settled();
  await home.conversations.retained();
  expect(await titles(home)).toHaveLength(3);
});

it('13: at the limit of age one stays, a millisecond later it goes; the default stays at any age', async () => {
  const home = await started({ retention: retention({ days: 30 }) });
  await made(home, 'old');
  home.clock.advance(5 * DAY_MS);
  await home.conversations.retain();
  for (let day = 0; day < 25; day += 5) {
    home.clock.advance(5 * DAY_MS);
    await home.conversations.retain();
  }
  expect(await titles(home)).toEqual(['Nexie', 'old']);
  home.clock.advance(1);
  await home.conversations.retain();
  expect(await titles(home)).toEqual(['Nexie']);
});

it('14: above the bytes the oldest go until the rest fits', async () => {
  const home = await started({ retention: retention({ bytes: 20_000 }) });
  for (const title of ['a', 'b', 'c']) await made(home, title, 5_000);
  await home.conversations.retain();
  const before = await titles(home);
  expect(before).toContain('c');
  expect(before).not.toContain('a');
  const { bytes } = await home.conversations.plan();
  expect(bytes.trash).toBeGreaterThan(5_000);
});

it('15: a protected one that passes the bytes by itself moves nobody out', async () => {
  const home = await started({ retention: retention({ bytes: 20_000 }) });
  const id = await home.conversations.default();
  await home.disk.write(`${HOME}/conversations/${id}/epochs/1/blobs/x`, new Uint8Array(1_000_000));
  await made(home, 'a', 1_000);
  await made(home, 'b', 1_000);
  const report = await home.conversations.retain();
  expect(await titles(home)).toEqual(['Nexie', 'a', 'b']);
  expect(report.overage).toMatchObject([expect.stringContaining('Protected conversations hold')]);
});

it('16: one that alone passes the bytes goes before smaller older ones', async () => {
  const home = await started({ retention: retention({ bytes: 20_000 }) });
  await made(home, 'small', 1_000);
  await made(home, 'big', 30_000);
  await made(home, 'later', 1_000);
  expect(await titles(home)).toEqual(['Nexie', 'later', 'small']);
});

it('17: what was just made or has just settled is safe in its own pass', async () => {
  const home = await started({ retention: retention({ conversations: 1 }) });
  const first = await made(home, 'first');
  expect(await titles(home)).toEqual(['Nexie', 'first']);
  const lane = await home.conversations.lane(first);
  await lane.send(message('hi'));
  await lane.settled();
  await home.conversations.retained();
  expect(await titles(home)).toEqual(['Nexie', 'first']);
  await made(home, 'second');
  expect(await titles(home)).toEqual(['Nexie', 'second']);
});

describe('18: a link inside a conversation', () => {
  const roots: string[] = [];
  afterEach(async () => {
    for (const root of roots.splice(0)) await rm(root, { recursive: true, force: true });
  });

  it('counts nothing, and what it leads to survives the removal', async () => {
    const root = await mkdtemp(join(tmpdir(), 'hearth-link-'));
    roots.push(root);
    const store = new HomeStore({ disk: nodeDisk, clock: new SimClock(), home: join(root, 'home') });
    const id = 'c_00000000000000000000000001';
    const createdAt = '2026-01-01T00:00:00.000Z';
    const kept = { pinned: false, origin: 'person', epoch: 1, createdAt, default: false } as const;
    await store.create({ format: 1, id, title: 'T', scope: { kind: 'global' }, bot: 'b', ...kept });
    const before = await store.bytes('conversations', id);
    await nodeDisk.makeDirectory(join(root, 'outside'));
    await writeFile(join(root, 'outside', 'huge'), new Uint8Array(5_000_000));
    await symlink(join(root, 'outside'), join(root, 'home/conversations', id, 'epochs/1/blobs/link'));
    expect(await store.bytes('conversations', id)).toBe(before);
    await store.trash(id, { at: createdAt, by: ada, receipt: null, why: null });
    const [entry] = await store.inTrash();
    await store.discard(entry!.name);
    expect(await readdir(join(root, 'outside'))).toEqual(['huge']);
    expect(await readdir(join(root, 'home/trash'))).toEqual([]);
  });
});

describe('20: a pass', () => {
  it('removes nothing the second time, and does what its prediction says', async () => {
    const home = await started({ retention: retention({ conversations: 1_000 }) });
    for (let n = 0; n < 12; n += 1) await made(home, `no ${n}`, n * 1000);
    await home.conversations.closeAll();
    const limits = retention({ conversations: 8, bytes: 40_000, days: 30 });
    const again = await started({ disk: home.disk, clock: home.clock, retention: limits });
    const predicted = await again.conversations.plan();
    const was = await titles(again);
    expect(predicted.dryRun).toBe(true);
    const report = await again.conversations.retain();
    expect({ ...report, dryRun: true }).toEqual(predicted);
    const removed = report.choices.filter(choice => choice.remove).map(choice => choice.title);
    expect(removed.length).toBeGreaterThan(2);
    expect(await titles(again)).toEqual(was.filter(title => !removed.includes(title)));
    expect((await again.conversations.retain()).choices.filter(choice => choice.remove)).toEqual([]);
    for (const choice of report.choices) expect(choice.why).toMatch(/^[A-Z].*\.$/);
  });

  it('judges no age after a jump of the clock, and says so', async () => {
    const home = await started({ retention: retention() });
    await made(home, 'old');
    await home.conversations.closeAll();
    home.clock.suspend(400 * DAY_MS);
    const again = await started({ disk: home.disk, clock: home.clock, retention: retention() });
    const report = await again.conversations.retain();
    expect(report.ageSkipped).toContain('ahead');
    expect(await titles(again)).toEqual(['Nexie', 'old']);
    again.clock.advance(DAY_MS);
    expect((await again.conversations.retain()).ageSkipped).toBeNull();
    expect(await titles(again)).toEqual(['Nexie']);
  });

  it('leaves what is pinned, owes an answer or works, and says why', async () => {
    const { script, open } = gated();
    async function* asking(turn: Parameters<typeof script>[0]): AsyncGenerator<BackendEvent> {
      if (!turn.prompt.user.includes('ask')) return yield* script(turn);
      yield session;
      yield { type: 'parked', asks: [{ text: 'Which?', options: [], allowFreeText: true }], permits: [] };
    }
    const home = await started({ retention: retention({ conversations: 1 }), script: asking });
    const pinned = await made(home, 'pinned');
    await home.conversations.change(pinned, { ...bare(), pinned: true });
    const owing = await home.conversations.lane(await made(home, 'owing'));
    await owing.send(message('ask'));
    await owing.settled();
    await working(home, await made(home, 'working'));
    const report = await home.conversations.retain();
    const reasons = Object.fromEntries(report.choices.map(choice => [choice.title, choice.reason]));
    expect(reasons).toEqual({ Nexie: 'default', pinned: 'pinned', owing: 'owing', working: 'active' });
    open();
  });

  it('ends the lane of what goes, tells those attached, and says in the default conversation what went', async () => {
    const home = await started({ retention: retention({ conversations: 1 }) });
    const first = await made(home, 'first');
    const lane = await home.conversations.lane(first);
    const frames: Frame[] = [];
    await lane.attach(null, frame => frames.push(frame));
    await made(home, 'second');
    expect(frames.at(-1)).toMatchObject({ frame: 'recover', recovery: { code: 'unknown_conversation' } });
    await expect(lane.send(message('late'))).rejects.toMatchObject({ code: 'unknown_conversation' });
    const base = await home.conversations.lane(await home.conversations.default());
    const page = await base.page(null, 100);
    const notices = 'events' in page ? page.events.filter(({ event }) => event.type === 'notice') : [];
    expect(notices).toMatchObject([
      { event: { code: 'conversations_removed', text: expect.stringContaining(`hearth restore ${first}`) } },
    ]);
    expect((await home.conversations.restore(first, bare())).view.title).toBe('first');
  });

  it('empties the trash by its own limits', async () => {
    const home = await started({ retention: retention() });
    const both = [await made(home, 'a'), await made(home, 'b')];
    for (const id of both) await home.conversations.close(id, bare());
    home.clock.advance(7 * DAY_MS);
    await home.conversations.retain();
    expect(await home.conversations.trash()).toHaveLength(2);
    home.clock.advance(1);
    await home.conversations.retain();
    expect(await home.conversations.trash()).toEqual([]);
    expect(await home.disk.list(`${HOME}/trash`)).toEqual([]);
  });

  it('finds a damaged entry of the trash set aside, told, and counted', async () => {
    const home = await started({ retention: retention() });
    await home.conversations.close(await made(home, 'a'), bare());
    const [entry] = await home.conversations.trash();
    const root = `${HOME}/trash/${entry!.name}`;
    await home.disk.write(`${root}/conversation.json`, new Uint8Array([123]));
    await home.disk.remove(`${root}/epochs/1/snapshot.json`);
    const again = await started({ disk: home.disk, clock: home.clock });
    expect(await again.conversations.trash()).toEqual([]);
    const { damaged } = await again.conversations.list({});
    expect(damaged).toMatchObject([{ name: expect.stringContaining(entry!.conversation) }]);
    expect((await again.conversations.plan()).bytes.quarantine).toBeGreaterThan(0);
  });

  it('that cannot remove one names it among those that are kept', async () => {
    const home = await started({ retention: retention({ conversations: 1 }) });
    const first = await made(home, 'first');
    home.disk.failNext('rename', 'disk_full');
    const report = await home.conversations.retain();
    const removal = report.choices.find(({ remove }) => remove);
    if (removal === undefined) throw new Error('nothing was to be removed');
    expect(report).toMatchObject({
      kept: [first],
      failed: [expect.stringContaining('stays: The disk is full')],
    });
    expect(await titles(home)).toContain('first');
  });

  it.each([
    ['measures', 'bytes', 6],
    ['moves', 'trash', 6],
    ['empties the trash', 'discard', 1],
  ] as const)('that %s ends before the next directory when the service stops', async (_, call, left) => {
    const home = await started({ retention: retention() });
    for (let n = 0; n < 5; n += 1) await made(home, `no ${n}`);
    for (let n = 0; n < 5; n += 1) await home.conversations.close(await made(home, `gone ${n}`), bare());
    await home.conversations.closeAll();

    const began = Promise.withResolvers<void>();
    const goes = Promise.withResolvers<void>();
    let calls = 0;
    const slow = vi.spyOn(HomeStore.prototype, call).mockImplementation(async () => {
      calls += 1;
      began.resolve();
      await goes.promise;
      return 0;
    });
    const narrow = { ...retention({ conversations: 1 }), trash: { days: 7, bytes: 1 } };
    const again = await started({ disk: home.disk, clock: home.clock, retention: narrow });
    const pass = again.conversations.retain().catch(() => null);
    await began.promise;
    const stopped = again.conversations.closeAll();
    goes.resolve();
    await stopped;
    expect([calls, (await pass)?.choices.length ?? 0]).toEqual([1, call === 'bytes' ? 0 : 6]);
    slow.mockRestore();

    // A pass is taken up again by the next.
    const last = await started({ disk: home.disk, clock: home.clock, retention: narrow });
    await last.conversations.retain();
    expect([await titles(last), (await last.conversations.trash()).length]).toEqual([['Nexie'], left]);
  });

  it('of its own measures nothing that stays whatever its size; one that is asked for tells the size of all', async () => {
    const home = await started({ retention: retention() });
    const pinned = await made(home, 'pinned');
    await home.conversations.change(pinned, { ...bare(), pinned: true });
    await made(home, 'idle');
    await home.conversations.closeAll();

    const again = await started({ disk: home.disk, clock: home.clock, retention: retention() });
    const measured = vi.spyOn(HomeStore.prototype, 'bytes');
    again.conversations.retainSoon();
    await again.conversations.retained();
    expect(measured).toHaveBeenCalledOnce();
    const { bytes, choices } = await again.conversations.retain();
    expect(measured).toHaveBeenCalledTimes(3);
    expect(choices.every(choice => choice.bytes > 0)).toBe(true);
    expect(bytes.conversations).toBe(choices.reduce((sum, choice) => sum + choice.bytes, 0));
    measured.mockRestore();
  });

  it('that fails as a whole is told, and the next one is done', async () => {
    const failures: unknown[] = [];
    const home = await started({
      retention: { ...retention({ conversations: 2 }), onFailure: failure => failures.push(failure) },
    });
    await made(home, 'measured');
    home.disk.failNext('usage', 'disk_failed');
    await made(home, 'first');
    expect(failures).toMatchObject([{ code: 'disk_failed' }]);
    await made(home, 'second');
    expect(await titles(home)).toEqual(['Nexie', 'second']);
  });
});
