import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { reply } from '@hearth/backends/testing/scripted/step.ts';
import {
  backendPath,
  conversationDirectory,
  epochDirectory,
} from '@hearth/conversations/conversation-directory.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { endAll, newHome, type Served, serve } from './testing/served.ts';

/* Names and links that would lead out of the home, or into another conversation. */

afterEach(endAll);

async function talked(): Promise<{ served: Served; c: ConversationId; root: string }> {
  const served = await serve(() => [reply('hello')]);
  const c = await served.conversation();
  await said(served, c);
  return { served, c, root: join(served.home, 'conversations', c) };
}
async function said(served: Served, c: ConversationId): Promise<void> {
  await served.client.send(c, { text: 'words', delivery: 'queue' });
  await served.until(c, view => view.state === 'idle' && view.turn === null);
}
/** Asks for a path exactly as it stands; `fetch` would tidy it. */
function raw(served: Served, path: string): Promise<{ status: number; body: string }> {
  const { port } = new URL(served.service.address);
  const headers = { authorization: `Bearer ${served.token}` };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, response => {
      response
        .setEncoding('utf8')
        .toArray()
        .then(parts => resolve({ status: response.statusCode ?? 0, body: parts.join('') }), reject);
    })
      .on('error', reject)
      .end();
  });
}

describe('links', () => {
  test('a conversation that was swapped for a link is refused, and where it leads stays as it is', async () => {
    const { served, c, root } = await talked();
    await served.service.stop();
    const elsewhere = join(newHome(), 'elsewhere');
    renameSync(root, elsewhere);
    symlinkSync(elsewhere, root);
    const before = readdirSync(elsewhere, { recursive: true, encoding: 'utf8' });
    const again = await serve(() => [reply('hello')], { home: served.home });
    await expect(again.client.get(c)).rejects.toMatchObject({
      code: expect.stringMatching(/^(damaged|unknown)_conversation$/) as string,
    });
    await expect(again.client.send(c, { text: 'more', delivery: 'queue' })).rejects.toMatchObject({
      status: expect.any(Number) as number,
    });
    expect(readdirSync(elsewhere, { recursive: true, encoding: 'utf8' })).toEqual(before);
  });

  test.each(['events.jsonl', 'transcript.jsonl', 'journal'])(
    'a link in the place of %s has nothing written elsewhere',
    async name => {
      const { served, c, root } = await talked();
      await served.service.stop();
      const epoch = join(root, 'epochs', '1');
      const { generation } = JSON.parse(readFileSync(join(epoch, 'snapshot.json'), 'utf8')) as {
        generation: number;
      };
      const file = join(epoch, name === 'journal' ? `journal.${generation}.jsonl` : name);
      const target = join(newHome(), 'target');
      writeFileSync(target, name === 'journal' ? '' : readFileSync(file));
      const before = readFileSync(target, 'utf8');
      rmSync(file, { force: true });
      symlinkSync(target, file);
      const again = await serve(() => [reply('hello')], { home: served.home });
      await again.client.send(c, { text: 'more', delivery: 'queue' }).catch(() => undefined);
      await again.service.stop();
      expect(readFileSync(target, 'utf8')).toBe(before);
    },
  );

  test('a workspace is the directory that a link leads to, and no other is named', async () => {
    const { served, c } = await talked();
    const place = newHome();
    mkdirSync(join(place, 'real'));
    symlinkSync(join(place, 'real'), join(place, 'link'));
    writeFileSync(join(place, 'file'), '');
    const send = (workspace: string) => served.client.send(c, { text: 'x', delivery: 'queue', workspace });
    await send(join(place, 'link'));
    const page = await served.client.events(c, null, 500);
    expect(JSON.stringify(page)).toContain(join(place, 'real'));
    expect(JSON.stringify(page)).not.toContain(join(place, 'link'));
    for (const workspace of ['relative', '../..', join(place, 'file'), join(place, 'none'), `${place}\0`]) {
      await expect(send(workspace)).rejects.toMatchObject({
        code: expect.stringMatching(/^invalid/) as string,
      });
    }
  });
});

describe('names', () => {
  test.each([
    '/v1/conversations/..%2f..%2ftoken',
    '/v1/conversations/%2e%2e/events',
    '/v1/conversations/C/blobs/..%2f..%2f..%2fconversation.json',
    '/v1/conversations/C/blobs/%2e%2e%2fsnapshot.json',
    '/v1/../token',
    '/../../token',
    '/..%2f..%2ftoken',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/%00',
  ])('%s leads nowhere', async path => {
    const { served, c } = await talked();
    const { status, body } = await raw(served, path.replace('/C/', `/${c}/`));
    expect([400, 403, 404]).toContain(status);
    expect(body).not.toContain(served.token);
    expect(body).not.toContain('"generation"');
  });

  test('nothing is restored from outside the trash, and no ticket lies outside the board', async () => {
    const { served } = await talked();
    for (const name of ['..', '../conversations', '%2e%2e']) {
      const answer = await served.post(`/v1/trash/${encodeURIComponent(name)}/restore`);
      expect(answer.status).toBe(404);
    }
    await expect(served.client.ticket(served.home, '../../token')).rejects.toMatchObject({
      code: 'unknown_ticket',
    });
  });

  test.each(['..', '../../x', 'a/b', '.', 'a\0b', 'ünïcode', '%2e%2e'])(
    'a node that is called %j has its files in its epoch',
    name => {
      const epoch = epochDirectory(conversationDirectory('/home/conversation'), 1);
      const path = backendPath(epoch, name);
      expect(path.startsWith('/home/conversation/epochs/1/backend/')).toBe(true);
      expect(path.slice('/home/conversation/epochs/1/backend/'.length)).toMatch(/^[A-Za-z0-9_%-]+$/);
    },
  );

  test('the home has no link after all this', async () => {
    const { served } = await talked();
    const all = readdirSync(served.home, { recursive: true, encoding: 'utf8' });
    expect(all.filter(name => lstatSync(join(served.home, name)).isSymbolicLink())).toEqual([]);
  });
});
