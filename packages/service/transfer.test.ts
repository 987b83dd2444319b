import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reply } from '@hearth/backends/testing/scripted/step.ts';
import { HearthProblem } from '@hearth/client/problem.ts';
import { HistoryPage } from '@hearth/protocol/history.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { headOf } from '@hearth/protocol/text.ts';
import { packTar, type ParsedTarEntryWithData, unpackTar } from 'modern-tar';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { endAll, newHome, type Served, serve } from './testing/served.ts';
import { verifyThis } from './verify-home.ts';

/* A conversation that leaves one home as an archive and comes into another. */

afterEach(endAll);

async function said(served: Served, c: ConversationId, text: string): Promise<void> {
  await served.client.send(c, { text, delivery: 'queue' });
  await served.until(c, view => view.state === 'idle' && view.turn === null);
}
const archiveOf = async (served: Served, c: ConversationId): Promise<Uint8Array<ArrayBuffer>> => {
  const answer = await served.fetch(`/v1/conversations/${c}/export`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-tar']);
  return new Uint8Array(await answer.arrayBuffer());
};
function stored(bytes: Uint8Array): string {
  const path = join(newHome(), 'archive.tar');
  writeFileSync(path, bytes);
  return path;
}
const words = async (served: Served, c: string): Promise<string[]> => {
  const { items } = HistoryPage.parse(await (await served.fetch(`/v1/conversations/${c}/history`)).json());
  return items.flatMap(item => (item.is === 'said' || item.is === 'replied' ? [headOf(item.text)] : []));
};
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof HearthProblem ? error.code : String(error)),
  );

test('all that was said, the receipts and the numbers come along; the epoch rises and old cursors are told', async () => {
  const from = await serve(() => [reply('Here.')]);
  const c = await from.conversation('Over there');
  const first = { commandId: 'a-command-of-mine', text: 'one', delivery: 'queue' } as const;
  await from.client.send(c, first);
  await from.until(c, view => view.state === 'idle' && view.turn === null);
  await from.client.reset(c);
  await said(from, c, 'two');
  const before = await from.client.get(c);
  const path = stored(await archiveOf(from, c));

  const to = await serve(() => [reply('There.')]);
  const { view } = await to.client.import(path);
  expect(view).toMatchObject({ id: c, title: 'Over there', isDefault: false });
  expect(await words(to, c)).toEqual(await words(from, c));
  const page = await to.client.events(c, null, 500);
  const events = 'events' in page ? page.events.map(placed => placed.event) : [];
  expect(events.at(-1)).toMatchObject({ type: 'conversation', change: 'imported' });
  const numbers = events.map(event => event.seq);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(await to.client.events(c, before.head, 10)).toMatchObject({ code: 'epoch_changed' });
  const again = await to.client.send(c, first);
  expect(again).toMatchObject({ replayed: true, receipt: { commandId: first.commandId } });
  await said(to, c, 'three');
  expect((await words(to, c)).slice(-2)).toEqual(['three', 'There.']);

  await to.service.stop();
  expect((await verifyThis(to.home)).findings).toEqual([]);
});

test('a conversation that was here is not replaced: what comes gets another id', async () => {
  const served = await serve(() => [reply('hello')]);
  const c = await served.conversation();
  await said(served, c, 'one');
  const path = stored(await archiveOf(served, c));
  const { view } = await served.client.import(path);
  expect(view.id).not.toBe(c);
  await served.client.close(c);
  expect((await served.client.import(path)).view.id).not.toBe(c);
  expect(await words(served, view.id)).toEqual(['one', 'hello']);
});

test('an import that is sent again is the same one', async () => {
  const served = await serve(() => [reply('hello')]);
  const path = stored(await archiveOf(served, await served.conversation()));
  const commandId = 'import-me-but-once';
  const [one, two] = [
    await served.client.import(path, { commandId }),
    await served.client.import(path, { commandId }),
  ];
  expect([one.view.id, one.replayed, two.replayed]).toEqual([two.view.id, false, true]);
});

test('a page may not import', async () => {
  const served = await serve(() => [reply('hello')]);
  const { address } = served.service;
  const { code } = (await (await served.post('/v1/login-codes')).json()) as { code: string };
  const signedIn = await fetch(`${address}/login`, {
    method: 'POST',
    body: JSON.stringify({ code }),
    headers: { 'content-type': 'application/json', origin: address },
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const actor = { kind: 'person', name: 'eve', surface: 'studio' };
  const asked = await fetch(`${address}/v1/conversations/import`, {
    method: 'POST',
    body: JSON.stringify({ commandId: 'x'.repeat(20), actor, path: '/etc/passwd' }),
    headers: { 'content-type': 'application/json', origin: address, cookie },
  });
  expect(asked.status).toBe(401);
});

describe('an archive is trusted in nothing', () => {
  let entries: ParsedTarEntryWithData[];

  beforeAll(async () => {
    const served = await serve(() => [reply('hello')]);
    const c = await served.conversation();
    await said(served, c, 'one');
    entries = await unpackTar(await archiveOf(served, c));
    await endAll();
  });

  const named = (form: RegExp) => (one: ParsedTarEntryWithData) => form.test(one.header.name);
  const rewritten = (
    change: (manifest: { files: { path: string; bytes: number }[] }) => void,
  ): ParsedTarEntryWithData => {
    const [first] = entries;
    const manifest = JSON.parse(new TextDecoder().decode(first?.data)) as {
      files: { path: string; bytes: number }[];
    };
    change(manifest);
    const data = new TextEncoder().encode(JSON.stringify(manifest));
    return { header: { name: 'manifest.json', size: data.length, type: 'file' }, data };
  };
  const file = (
    name: string,
    text: string,
    type: 'file' | 'symlink' | 'link' = 'file',
    linkname?: string,
  ) => {
    const data = new TextEncoder().encode(text);
    const header = {
      name,
      type,
      size: type === 'file' ? data.length : 0,
      ...(linkname === undefined ? {} : { linkname }),
    };
    return type === 'file' ? { header, data } : { header };
  };

  const bad: readonly [string, () => ParsedTarEntryWithData[]][] = [
    ['nothing', () => []],
    ['no manifest', () => entries.slice(1)],
    ['a manifest of another kind', () => [file('manifest.json', '{"format": 2}'), ...entries.slice(1)]],
    ['a file less', () => entries.slice(0, -1)],
    ['a file more', () => [...entries, file('epochs/1/backend/x', 'x')]],
    ['a path that leads out', () => [...entries, file('../../token', 'x')]],
    ['an absolute path', () => [...entries, file('/tmp/hearth-import-was-here', 'x')]],
    ['a symbolic link', () => [...entries, file('epochs/1/blobs', '', 'symlink', '/etc')]],
    ['a link', () => [...entries, file('receipts.jsonl', '', 'link', '/etc/passwd')]],
    ['a file twice', () => [...entries, ...entries.slice(-1)]],
    [
      'changed bytes',
      () =>
        entries.map(
          one =>
            (named(/transcript/)(one)
              ? { ...one, data: one.data?.map(byte => byte ^ 1) }
              : one) as ParsedTarEntryWithData,
        ),
    ],
    [
      'a manifest that allows a path that leads out',
      () => [
        rewritten(manifest => manifest.files.push({ ...manifest.files[0], path: '../x', bytes: 1 })),
        ...entries.slice(1),
        file('../x', 'x'),
      ],
    ],
    [
      'a manifest with another size',
      () => [rewritten(manifest => manifest.files.forEach(one => (one.bytes += 1))), ...entries.slice(1)],
    ],
    [
      'a manifest that names a file twice',
      () => [rewritten(manifest => manifest.files.push(manifest.files[0]!)), ...entries.slice(1)],
    ],
  ];

  test('and leaves nothing behind when it is refused', async () => {
    const served = await serve(() => [reply('hello')]);
    const before = readdirSync(join(served.home, 'conversations'));
    for (const [name, made] of bad) {
      const path = stored(await packTar(made()));
      expect([name, await codeOf(served.client.import(path))]).toEqual([name, 'archive_invalid']);
    }
    for (const [name, bytes] of [
      ['no archive', new Uint8Array(2000).fill(65)],
      ['an empty file', new Uint8Array()],
    ] as const) {
      expect([name, await codeOf(served.client.import(stored(bytes)))]).toEqual([name, 'archive_invalid']);
    }
    expect(await codeOf(served.client.import('/nowhere.tar'))).toBe('archive_invalid');
    expect(await codeOf(served.client.import('/'))).toBe('archive_invalid');
    expect(readdirSync(join(served.home, 'conversations'))).toEqual(before);
    expect(existsSync('/tmp/hearth-import-was-here')).toBe(false);
    // The archive that they were made of is one.
    const path = stored(await packTar(entries));
    const { view } = await served.client.import(path);
    expect(statSync(join(served.home, 'conversations', view.id)).mode & 0o777).toBe(0o700);
    rmSync(path);
  });

  test('and one that breaks off anywhere is refused, and never waited for', async () => {
    const served = await serve(() => [reply('hello')]);
    const whole = await packTar(entries);
    for (let cut = 500; cut < whole.length - 1024; cut += 900) {
      const path = stored(whole.subarray(0, cut));
      expect([cut, await codeOf(served.client.import(path))]).toEqual([cut, 'archive_invalid']);
    }
    // Nothing stands in the way of what comes next.
    const { view } = await served.client.import(stored(whole));
    expect(await words(served, view.id)).toEqual(['one', 'hello']);
  });

  test('and what is consistent with its manifest but not with itself is refused too', async () => {
    const served = await serve(() => [reply('hello')]);
    const { createHash } = await import('node:crypto');
    const other = entries.map(one =>
      named(/events\.jsonl$/)(one) ? { ...one, data: new TextEncoder().encode('{"log":1}\n') } : one,
    ) as ParsedTarEntryWithData[];
    const files = other.slice(1).map(one => {
      const data = one.data ?? new Uint8Array();
      return {
        path: one.header.name,
        bytes: data.length,
        digest: `sha256:${createHash('sha256').update(data).digest('hex')}`,
      };
    });
    const resized = other.map(one => ({ ...one, header: { ...one.header, size: one.data?.length ?? 0 } }));
    const archive = [rewritten(manifest => Object.assign(manifest, { files })), ...resized.slice(1)];
    expect(await codeOf(served.client.import(stored(await packTar(archive))))).toBe('archive_invalid');
  });
});

test('no secret travels: the token, a key of the environment and what a backend keeps stay behind', async () => {
  const served = await serve(() => [reply('the key is sk-sentinel-0123456789')], {
    env: { X_API_KEY: 'sk-sentinel-0123456789' },
  });
  const c = await served.conversation();
  await said(served, c, 'one');
  const archive = Buffer.from(await archiveOf(served, c));
  for (const secret of [served.token, 'sk-sentinel-0123456789']) expect(archive.includes(secret)).toBe(false);
  expect(
    (await unpackTar(archive)).map(one => one.header.name).filter(name => name.includes('backend')),
  ).toEqual([]);
  expect(readFileSync(join(served.home, 'conversations', c, 'conversation.json'), 'utf8')).toContain(c);
});
