import { DiskError } from '@hearth/store/disk.ts';
import { verifyConversation } from './verification.ts';
import { describe, expect, it } from 'vitest';
import { epochPath, laneOf } from './testing/lanes.ts';
import { HOME, message, type Sample, sample, started } from './testing/sample-home.ts';
import { filesOf } from './testing/files.ts';

/* What lies in a conversation's directory and is not its own, and a conversation that cannot leave. */

async function spoken(): Promise<{ home: Sample; id: Awaited<ReturnType<typeof laneOf>>['id'] }> {
  const home = await started();
  const lane = await laneOf(home);
  await lane.send(message('hello'));
  await lane.settled();
  return { home, id: lane.id };
}

const said = async (home: Sample): Promise<unknown[]> =>
  (await (await laneOf(home)).history(null, 10)).items.flatMap(line =>
    line.is === 'said' ? [line.text] : [],
  );

describe('a directory in the place of', () => {
  it.each(['events.jsonl', 'transcript.jsonl', 'audit.jsonl'])(
    '%s is set aside, and the conversation takes words again',
    async name => {
      const { home, id } = await spoken();
      await home.conversations.closeAll();
      const path = `${epochPath(id)}/${name}`;
      await home.disk.remove(path);
      await home.disk.makeDirectory(path);
      const next = await started({ disk: home.disk });
      const lane = await laneOf(next);
      expect(lane.view().trouble).toBeUndefined();
      await lane.send(message('and again'));
      await lane.settled();
      expect(await said(next)).toContain('and again');
      expect((await next.disk.stat(path))?.kind ?? 'file').toBe('file');
      expect((await next.store.quarantined()).map(({ why }) => why)).toEqual([`"${path}" was no file.`]);
    },
  );

  it('the receipts is told, since what was accepted before can no longer be known', async () => {
    const { home, id } = await spoken();
    await home.conversations.closeAll();
    const path = `${HOME}/conversations/${id}/receipts.jsonl`;
    await home.disk.remove(path);
    await home.disk.makeDirectory(path);
    const next = await started({ disk: home.disk });
    const lane = await laneOf(next);
    await lane.send(message('and again'));
    await lane.settled();
    const page = await lane.page(null, 500);
    const notices = 'events' in page ? page.events.map(({ event }) => event) : [];
    expect(notices).toContainEqual(expect.objectContaining({ type: 'notice', code: 'receipts_lost' }));
  });
});

it.each([
  ['are cut short', (bytes: Uint8Array) => bytes.slice(0, bytes.length / 2)],
  ['are emptied', () => new Uint8Array()],
  ['are full of noise', (bytes: Uint8Array) => bytes.map((_, at) => (at % 40 === 39 ? 10 : 255))],
])('receipts that %s are told once, and the conversation goes on', async (_name, spoil) => {
  const { home, id } = await spoken();
  await home.conversations.closeAll();
  const path = `${HOME}/conversations/${id}/receipts.jsonl`;
  await home.disk.write(path, spoil((await home.disk.read(path))!));
  for (let boot = 0; boot < 2; boot += 1) {
    const next = await started({ disk: home.disk });
    const lane = await laneOf(next);
    await lane.send(message('and again'));
    await lane.settled();
    const page = await lane.page(null, 500);
    const told = 'events' in page ? page.events.map(({ event }) => event) : [];
    expect(told.filter(event => event.type === 'notice')).toMatchObject([{ code: 'receipts_lost' }]);
    await next.conversations.closeAll();
  }
  expect(await verifyConversation(home.disk, `${HOME}/conversations/${id}`, id)).toEqual([]);
});

it.each(['are gone', 'are cut short'])(
  'receipts that %s are had from the journal again, as far as it reaches',
  async how => {
    const { home, id } = await spoken();
    await home.conversations.closeAll();
    const before = await started({ disk: home.disk });
    const words = message('since the last moment of rest');
    const { receipt } = await (await laneOf(before)).send(words);
    // The process ends here: nothing of this was ever written down but in the journal.
    const { disk } = before;
    const path = `${HOME}/conversations/${id}/receipts.jsonl`;
    const bytes = (await disk.read(path))!;
    if (how === 'are gone') await disk.remove(path);
    else await disk.write(path, bytes.slice(0, bytes.length / 2));
    const next = await started({ disk });
    const again = await (await laneOf(next)).send(words);
    expect(again).toMatchObject({ replayed: true, receipt });
    expect(await said(next)).toEqual(['hello', words.text]);
  },
);

it('a file in the place of a node’s directory is set aside before a turn works there', async () => {
  const { home, id } = await spoken();
  const path = await home.store.directory(id, 'chat');
  await home.disk.remove(path);
  await home.disk.write(path, new Uint8Array([1]));
  expect(await home.store.directory(id, 'chat')).toBe(path);
  expect((await home.disk.stat(path))?.kind).toBe('directory');
  expect((await home.store.quarantined()).map(({ why }) => why)).toEqual([`"${path}" was no directory.`]);
});

it('the beginnings of files that a kill left are gone when the conversation is opened', async () => {
  const { home, id } = await spoken();
  const path = await home.store.directory(id, 'chat');
  await home.conversations.closeAll();
  for (const directory of [path, `${epochPath(id)}/blobs`, `${HOME}/conversations/${id}`])
    await home.disk.write(`${directory}/.rehearsal-s.json.77-1.tmp`, new Uint8Array([1]));
  const next = await started({ disk: home.disk });
  await laneOf(next);
  expect(Object.keys(await filesOf(next.disk)).filter(name => name.endsWith('.tmp'))).toEqual([]);
});

it('a conversation that the trash could not take is there again for whoever asked meanwhile', async () => {
  let full = true;
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const home = sample({
    wrap: store => ({
      store: new Proxy(store, {
        get(target, name) {
          if (name !== 'trash') {
            const found: unknown = Reflect.get(target, name, target);
            return typeof found === 'function' ? found.bind(target) : found;
          }
          return async (...asked: Parameters<typeof target.trash>) => {
            entered.resolve();
            await gate.promise;
            if (full) throw new DiskError('disk_full', HOME, 'The disk is full.');
            await target.trash(...asked);
          };
        },
      }),
      blobs: store.blobs,
    }),
  });
  await home.conversations.initialise();
  await home.conversations.resume();
  const made = await home.conversations.create({
    ...message(''),
    scope: { kind: 'global' },
  } as never);
  const { id } = made.view;
  const lane = await home.conversations.lane(id);
  const closing = home.conversations.close(id, {
    commandId: message('').commandId,
    actor: message('').actor,
  });
  await entered.promise;
  const [late, again] = [lane.send(message('too late')), home.conversations.lane(id)];
  gate.resolve();
  await expect(closing).rejects.toMatchObject({ code: 'disk_full' });
  await expect(late).rejects.toMatchObject({ code: 'closed' });
  expect(await (await again).send(message('in time'))).toMatchObject({ receipt: {} });
  full = false;
  await (await again).settled();
  await home.conversations.close(id, { commandId: message('').commandId, actor: message('').actor });
  await expect((await again).send(message('gone'))).rejects.toMatchObject({ code: 'unknown_conversation' });
});

it('the beginning of a first receipt, which a loss of power left, is nothing to tell: the journal has it', async () => {
  const home = await started();
  const id = await home.conversations.default();
  const words = message('hello');
  await (await laneOf(home)).send(words);
  const disk = home.disk.crash({ seed: 1 });
  await disk.write(
    `${HOME}/conversations/${id}/receipts.jsonl`,
    new TextEncoder().encode('{"commandId":"co'),
  );
  const lane = await laneOf(await started({ disk }));
  expect(await lane.send(words)).toMatchObject({ replayed: true });
  const page = await lane.page(null, 500);
  const told = 'events' in page ? page.events.map(({ event }) => event) : [];
  expect(told.filter(event => event.type === 'notice' && event.code === 'receipts_lost')).toEqual([]);
});
