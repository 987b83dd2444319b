import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import { asProblem } from '@hearth/client/problem.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { owes } from '@hearth/protocol/pause.ts';
import { expect } from 'vitest';
import { ServiceProcess, throughProcess } from './service-process.ts';
import { tempDirectory } from './temp.ts';

/*
 * A service on a disk that is filled from outside, and what must hold on it. There are two such disks: a small file system
 * of the service's own, where the machine gives one to a process, and a disk that gives out after so many bytes, which is
 * exact to the byte and works everywhere.
 */
export interface SmallDisk {
  readonly service: ServiceProcess;
  /** Bytes in which it hands out its room; a text of that many needs more of it. */
  readonly grain: number;
  /** Leaves room for so many bytes, or for less than a page where the disk is a real one. */
  fill(bytes: number): void;
  /** Makes room again. */
  free(): void;
}

const MOUNTING = 'mount -t tmpfs -o size=16m,mode=700 tmpfs "$0" && exec "$@"';
const NAMESPACE = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', MOUNTING] as const;

/** Whether a process may have a file system of its own here, into which another can see. */
export function hasNamespaces(): boolean {
  const [command, ...words] = NAMESPACE;
  return spawnSync(command, [...words, tempDirectory('tried'), 'true'], { stdio: 'ignore' }).status === 0;
}

/** A service whose home is a small file system of its own. */
export async function onTmpfs(): Promise<SmallDisk> {
  const at = tempDirectory('tmpfs');
  const service = await ServiceProcess.start(at, undefined, { within: [...NAMESPACE, at] });
  const home = throughProcess(service.pid, at);
  const ballast = join(home, 'logs', 'ballast');
  return {
    service,
    grain: 4096,
    fill: () => {
      const { bavail, bsize } = statfsSync(home);
      try {
        writeFileSync(ballast, new Uint8Array(bavail * bsize), { mode: 0o600 });
      } catch (error) {
        // The service may have taken some of it meanwhile; then it is as full.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    },
    free: () => rmSync(ballast, { force: true }),
  };
}

/** A service whose disk takes as many bytes as it is told. */
export async function onCountedDisk(): Promise<SmallDisk> {
  const room = join(tempDirectory('room'), 'bytes');
  const service = await ServiceProcess.start(tempDirectory('home'), undefined, { room });
  return {
    service,
    grain: 1,
    fill: bytes => writeFileSync(room, String(bytes)),
    free: () => rmSync(room, { force: true }),
  };
}

/** Waits until everything can be saved and nothing runs; what a full disk interrupted is left as it is. */
async function settled(client: HearthClient, c: ConversationId): Promise<void> {
  await expect
    .poll(
      async () => {
        const view = await client.get(c);
        const [recovery] = view.pauses.filter(owes);
        if (recovery?.kind === 'recovery' && view.trouble === undefined)
          await client.decide(c, recovery.id, { do: 'answer', option: 'stop' });
        return view.trouble?.code ?? view.state;
      },
      { interval: 20 },
    )
    .toBe('idle');
}

/** Every person's words in the transcript, in order. */
async function wordsIn(client: HearthClient, c: ConversationId): Promise<readonly string[]> {
  const words: string[] = [];
  for (let before: number | null = null; ; ) {
    const page = await client.history(c, before, 200);
    words.unshift(
      ...page.items.flatMap(line => (line.is === 'said' && typeof line.text === 'string' ? [line.text] : [])),
    );
    if (!page.hasOlder || page.previous === null) return words;
    before = page.previous;
  }
}

/**
 * Fills the disk again and again so that it gives out at each of the offsets of an append (on a real disk: wherever the
 * page ends), with a message under way. What was acknowledged is there once, who was refused is told why, reading
 * goes on, and everything goes on when there is room again.
 */
export async function expectKeptOn(disk: SmallDisk, offsets: readonly number[]): Promise<void> {
  const { client } = disk.service;
  const { id: c } = await client.default();
  const acknowledged: string[] = [];
  const say = async (text: string, commandId = randomUUID()): Promise<void> => {
    await client.send(c, { text, delivery: 'queue', commandId });
    acknowledged.push(text);
  };
  await say('hello before');
  await settled(client, c);
  let refused = 0;
  for (const offset of offsets) {
    // Moves the place in the page at which the next append begins.
    await say(`hello ${'.'.repeat(offset % 509)} at ${offset}`);
    await settled(client, c);
    disk.fill(offset);
    const text = `hello in need ${offset} ${'.'.repeat(disk.grain)}`;
    const commandId = randomUUID();
    try {
      await say(text, commandId);
    } catch (error) {
      refused += 1;
      expect(asProblem(error).code).toBe('disk_full');
      // Reading goes on all the while.
      expect(await wordsIn(client, c)).toEqual(acknowledged);
    }
    disk.free();
    // The same command again is the same command, whatever became of the first.
    if (acknowledged.at(-1) !== text)
      await expect
        .poll(() =>
          say(text, commandId).then(
            () => 'sent',
            () => 'refused',
          ),
        )
        .toBe('sent');
    await settled(client, c);
  }
  expect(refused).toBeGreaterThan(0);
  expect(await wordsIn(client, c)).toEqual(acknowledged);
}
