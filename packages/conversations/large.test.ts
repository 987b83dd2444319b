import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { countedIds } from '@hearth/store/counted-ids.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { SimClock } from '@hearth/store/sim-clock.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HomeStore } from './home-store.ts';
import { LocalLease } from './local-lease.ts';
import { MemoryBus } from './memory-bus.ts';
import { Conversations } from './registry.ts';
import { echo, message, SampleBots, scriptedBackend } from './testing/sample-home.ts';

/* A conversation of 128 MiB on a real disk: opening it and reading in it needs no more than in a small one. */

const MIB = 1024 * 1024;
let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hearth-large-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** The real disk, and how many bytes were read from it. */
function counting(): { disk: Disk; bytes: () => number } {
  let bytes = 0;
  const disk: Disk = {
    ...nodeDisk,
    read: async path => {
      const found = await nodeDisk.read(path);
      bytes += found?.length ?? 0;
      return found;
    },
    readRange: async (path, offset, length) => {
      const found = await nodeDisk.readRange(path, offset, length);
      bytes += found.length;
      return found;
    },
  };
  return { disk, bytes: () => bytes };
}

async function opened(disk: Disk) {
  const clock = new SimClock();
  const store = new HomeStore({ disk, clock, home });
  const backend = scriptedBackend(echo);
  const model = { model: 'auto', provider: null, effort: null } as const;
  const conversations = new Conversations({
    home,
    disk,
    store,
    blobs: store.blobs,
    ids: countedIds(),
    lease: new LocalLease(),
    bus: new MemoryBus(),
    bots: new SampleBots(),
    choose: () => Promise.resolve({ backend, model, why: 'test' }),
    tools: [],
    clock,
    fallbackWorkspace: join(home, 'workspace'),
  });
  await conversations.initialise();
  await conversations.resume();
  return { conversations, lane: await conversations.lane(await conversations.default()) };
}

/** Puts 128 MiB of older words under a conversation that has had one turn. */
async function grow(): Promise<number> {
  const { conversations, lane } = await opened(nodeDisk);
  await lane.send(message('small'));
  await lane.settled();
  const at = join(home, 'conversations', lane.id, 'epochs', '1');
  await conversations.closeAll();
  const out = createWriteStream(join(at, 'transcript.jsonl'));
  let seq = 0;
  for (let bytes = 0; bytes < 128 * MIB; ) {
    const chunk: string[] = [];
    for (let line = 0; line < 2000; line += 1) {
      seq += 1;
      const is = seq % 2 === 1 ? 'said' : 'replied';
      const by = { kind: is === 'said' ? 'person' : 'bot', name: 'ada', surface: 'console' };
      const words = { is, turn: `t${seq}`, message: `m${seq}`, by, text: `${seq} ${'.'.repeat(300)}` };
      chunk.push(JSON.stringify({ ...words, seq, at: '2026-01-01T00:00:00.000Z' }));
    }
    const text = `${chunk.join('\n')}\n`;
    bytes += text.length;
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  const after = { seq, check: 'abcdef' };
  await writeFile(join(at, 'events.jsonl'), `${JSON.stringify({ log: 1, epoch: 1, after })}\n`);
  const path = join(at, 'snapshot.json');
  const snapshot = JSON.parse(await readFile(path, 'utf8'));
  const cursor = `1.${seq}.abcdef`;
  const { transcript: _, ...rest } = snapshot;
  const view = { ...snapshot.view, head: cursor, retained: cursor };
  await writeFile(path, `${JSON.stringify({ ...rest, seq, view })}\n`);
  return seq;
}

describe('B29: a conversation of 128 MiB', () => {
  it('opens, shows its first page and pages back for little memory and few bytes, and goes on', async () => {
    const last = await grow();
    const { disk, bytes } = counting();
    const before = process.memoryUsage().rss;
    const { conversations, lane } = await opened(disk);
    const page = await lane.history(null, 20);
    expect(page.items.filter(line => line.is === 'said')).toHaveLength(20);
    expect(page.items.at(-1)?.seq).toBe(last);
    const opening = bytes();
    expect(opening).toBeLessThan(MIB);
    const costs: number[] = [];
    for (let older = page; costs.length < 5; ) {
      const from = bytes();
      older = await lane.history(older.previous, 20);
      costs.push(bytes() - from);
      expect(older.hasOlder).toBe(true);
    }
    expect(Math.max(...costs)).toBeLessThan(MIB / 2);
    // Anywhere in the middle, too.
    const from = bytes();
    const middle = await lane.history(Math.floor(last / 2), 20);
    expect(middle.items.at(-1)?.seq).toBe(Math.floor(last / 2) - 1);
    expect(bytes() - from).toBeLessThan(MIB);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);

    await lane.send(message('still here'));
    await lane.settled();
    expect((await lane.history(null, 1)).items.at(-1)).toMatchObject({
      is: 'replied',
      text: 'heard still here',
    });
    await conversations.closeAll();
  });
});
