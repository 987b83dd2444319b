import { existsSync, readFileSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { reply } from '@hearth/backends/testing/scripted/step.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { endAll, newHome, type Served, serve } from './testing/served.ts';
import { verifyThis } from './verify-home.ts';

/* What a link leads to is not read and not served: it may be anybody's. */

afterEach(endAll);

const LONG = 'x'.repeat(100_000);

/** A conversation at rest with a long text, in a home whose service has stopped. */
async function rested(): Promise<{ home: string; c: ConversationId; root: string; blob: string }> {
  const served = await serve(() => [reply('hello')]);
  const c = await served.conversation('SENTINEL');
  await served.client.send(c, { text: LONG, delivery: 'queue' });
  await served.until(c, view => view.state === 'idle' && view.turn === null);
  await served.service.stop();
  const root = join(served.home, 'conversations', c);
  const [blob = ''] = readdirSync(join(root, 'epochs', '1', 'blobs'));
  return { home: served.home, c, root, blob };
}

/** Moves a file or directory out of the home and leaves a link to it. */
function swap(path: string): void {
  const elsewhere = join(newHome(), basename(path));
  if (existsSync(path)) renameSync(path, elsewhere);
  else writeFileSync(elsewhere, '');
  symlinkSync(elsewhere, path);
}

async function listed({ client }: Served, c: ConversationId): Promise<boolean> {
  return (await client.list()).conversations.some(row => row.id === c);
}

describe('a link is refused in the place of', () => {
  test.each([
    ['the conversation', '', false],
    ['its record', 'conversation.json', false],
    ['its epochs', 'epochs', true],
    ['an epoch', 'epochs/1', true],
    ['its snapshot', 'epochs/1/snapshot.json', false],
    ['its journal', 'epochs/1/journal.G.jsonl', true],
    ['its events', 'epochs/1/events.jsonl', true],
    ['its transcript', 'epochs/1/transcript.jsonl', true],
    ['its long texts', 'epochs/1/blobs', true],
    ['its plans', 'epochs/1/plans', true],
  ])('%s', async (_, name, inList) => {
    const { home, c, root } = await rested();
    const snapshot = readFileSync(join(root, 'epochs', '1', 'snapshot.json'), 'utf8');
    const { generation } = JSON.parse(snapshot) as { generation: number };
    swap(join(root, name.replace('G', String(generation))));
    expect((await verifyThis(home)).findings).toContainEqual(
      expect.objectContaining({ conversation: c, severity: 'damage' }),
    );
    const served = await serve(() => [reply('hello')], { home });
    expect(await listed(served, c)).toBe(inList);
    for (const path of ['', '/events', '/history', '/export']) {
      const answer = await served.fetch(`/v1/conversations/${c}${path}`);
      expect([path, answer.status >= 400]).toEqual([path, true]);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    }
  });
});

test('a long text behind a link is not served, and the rest of its conversation is', async () => {
  const { home, c, root, blob } = await rested();
  swap(join(root, 'epochs', '1', 'blobs', blob));
  const served = await serve(() => [reply('hello')], { home });
  expect((await served.client.get(c)).title).toBe('SENTINEL');
  const answer = await served.fetch(`/v1/conversations/${c}/blobs/${blob}`);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(await answer.text()).not.toContain(LONG.slice(0, 100));
});
