import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DiskError } from './disk.ts';
import { acquireHomeLock, homeLockHeld } from './lock.ts';

let root: string;
let path: string;
let children: ChildProcess[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hearth-lock-'));
  path = join(root, 'lock.sqlite');
  children = [];
});
afterEach(async () => {
  for (const child of children) await end(child);
  await rm(root, { recursive: true, force: true });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Another process that tries to take the lock, says `held` or `refused`, and stays. */
async function contender(): Promise<{ child: ChildProcess; said: string }> {
  const script = `
    import { acquireHomeLock } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)};
    console.log(acquireHomeLock(${JSON.stringify(path)}) ? 'held' : 'refused');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [data] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: data.toString().trim() };
}

it('is taken once in a process, and again after its release', () => {
  const first = acquireHomeLock(path);
  expect(first).not.toBeNull();
  expect(acquireHomeLock(path)).toBeNull();
  // A refused attempt must not have freed it.
  expect(acquireHomeLock(path)).toBeNull();
  first?.release();
  first?.release();
  const second = acquireHomeLock(path);
  expect(second).not.toBeNull();
  second?.release();
});

it('keeps another process out, even after a refused attempt in this one', async () => {
  const held = acquireHomeLock(path);
  expect(acquireHomeLock(path)).toBeNull();
  expect((await contender()).said).toBe('refused');
  held?.release();
  expect((await contender()).said).toBe('held');
});

it('stays with a holder that stands still and is free once the holder was killed', async () => {
  const { child, said } = await contender();
  expect(said).toBe('held');
  child.kill('SIGSTOP');
  expect(acquireHomeLock(path)).toBeNull();
  await end(child);
  const lock = acquireHomeLock(path);
  expect(lock).not.toBeNull();
  lock?.release();
});

it('goes to exactly one of several that start together', async () => {
  const all = await Promise.all([contender(), contender(), contender()]);
  expect(all.map(({ said }) => said).sort()).toEqual(['held', 'refused', 'refused']);
});

it('is seen from outside without being taken', async () => {
  expect(homeLockHeld(path)).toBe(false);
  const { child, said } = await contender();
  expect(said).toBe('held');
  expect([homeLockHeld(path), homeLockHeld(path)]).toEqual([true, true]);
  await end(child);
  expect(homeLockHeld(path)).toBe(false);
  // Looking leaves nothing behind, and the lock can be had.
  expect(await readdir(root)).toEqual(['lock.sqlite']);
  acquireHomeLock(path)?.release();
});

it('is one empty file, 0600', async () => {
  const lock = acquireHomeLock(path);
  const found = await stat(path);
  expect([found.size, found.mode & 0o777]).toEqual([0, 0o600]);
  expect(await readdir(root)).toEqual(['lock.sqlite']);
  lock?.release();
  expect(await readdir(root)).toEqual(['lock.sqlite']);
});

it.each<[string, () => Promise<unknown>, string]>([
  ['there is no directory', () => rm(root, { recursive: true }), 'ENOENT'],
  ['the file is something else', () => writeFile(path, 'words '.repeat(1000)), 'not a database'],
])('says in one sentence what is wrong when %s', async (_, prepare, why) => {
  await prepare();
  let failure: unknown;
  try {
    acquireHomeLock(path);
  } catch (thrown) {
    failure = thrown;
  }
  expect(failure).toBeInstanceOf(DiskError);
  expect((failure as DiskError).message).toContain(path);
  expect((failure as DiskError).message).toContain(why);
});
