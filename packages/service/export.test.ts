import { createHash } from 'node:crypto';
import { gate, reply } from '@hearth/backends/testing/scripted/step.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { unpackTar } from 'modern-tar';
import { afterEach, expect, test } from 'vitest';
import { MANIFEST, Manifest } from './archive-manifest.ts';
import { endAll, serve } from './testing/served.ts';

/* What an export refuses, what it costs, and that it holds what it says. */

afterEach(endAll);

test('a conversation at work is refused as active, and leaves once its turn has ended', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const served = await serve(() => [gate(promise), reply('hello')]);
  const c = await served.conversation();
  const path = `/v1/conversations/${c}/export`;
  await served.client.send(c, { text: 'go', delivery: 'queue' });
  const refused = await served.fetch(path);
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  expect(await refused.json()).toMatchObject({ code: 'active', view: { id: c, state: 'working' } });
  resolve();
  await served.until(c, view => view.state === 'idle' && view.turn === null);
  const answer = await served.fetch(path);
  expect([answer.status, (await answer.bytes()).length > 0]).toEqual([200, true]);
});

test('a long text is read in pieces, and every file is what the manifest says', async () => {
  let longest = 0;
  let whole: string[] = [];
  const disk: Disk = {
    ...nodeDisk,
    read: path => {
      whole.push(path);
      return nodeDisk.read(path);
    },
    readRange: (path, offset, length) => {
      longest = Math.max(longest, length);
      return nodeDisk.readRange(path, offset, length);
    },
  };
  const served = await serve(() => [reply('hello')], { disk });
  const c = await served.conversation();
  await served.client.send(c, { text: 'word '.repeat(150_000), delivery: 'queue' });
  await served.until(c, view => view.state === 'idle' && view.turn === null);
  [longest, whole] = [0, []];
  const answer = await served.fetch(`/v1/conversations/${c}/export`);
  const [first, ...others] = await unpackTar(await answer.bytes(), { strict: true });
  expect([longest, whole.filter(path => path.includes('/blobs/'))]).toEqual([256 * 1024, []]);
  expect(first?.header.name).toBe(MANIFEST);
  const { files } = Manifest.parse(JSON.parse(new TextDecoder().decode(first?.data)));
  const found = others.map(({ header, data = new Uint8Array() }) => ({
    path: header.name,
    bytes: data.length,
    digest: `sha256:${createHash('sha256').update(data).digest('hex')}`,
  }));
  expect(found).toEqual(files);
  expect(Math.max(...files.map(file => file.bytes))).toBeGreaterThan(700_000);
});
