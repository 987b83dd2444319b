import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * What tests make of the sources, kept from one run to the next in a directory named after a digest of those. What was
 * made once is not made again, and it appears whole or not at all. Of the workers that ask for it at once, one makes it.
 */

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const CACHE = join(ROOT, 'node_modules/.cache/hearth-tests');

const SOURCES = ['bin', 'bots', 'editors', 'packages', 'scripts', 'tests/crash', 'tests/support'];
const DAY_MS = 86_400_000;
/** How often whoever waits for another worker's work looks for it. */
const WAIT_MS = 100;

let digest: string | null = null;

/** Names the sources as they are now. */
function sources(): string {
  if (digest !== null) return digest;
  const paths = SOURCES.flatMap(directory =>
    readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
      .filter(path => !/(?:^|\/)(?:dist|node_modules)(?:\/|$)|\.test\.tsx?$/.test(path))
      .map(path => join(directory, path)),
  );
  const hash = createHash('sha256');
  for (const path of ['LICENSE', 'package.json', 'package-lock.json', ...paths].sort()) {
    if (!statSync(join(ROOT, path)).isFile()) continue;
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  }
  digest = hash.digest('hex').slice(0, 16);
  return digest;
}

/** The directory that `make` filled for these sources, under a name of its own. */
export async function madeOnce(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const directory = join(CACHE, `${name}-${sources()}`);
  const making = `${directory}.making`;
  mkdirSync(CACHE, { recursive: true });
  while (!existsSync(directory) && !isMine(making))
    await new Promise(resolve => setTimeout(resolve, WAIT_MS));
  if (existsSync(directory)) {
    release(making);
    return directory;
  }
  removeOld();
  const unfinished = `${directory}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    await make(unfinished);
    renameSync(unfinished, directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  } finally {
    release(making);
  }
  return directory;
}

/** Whether this process makes it: nobody else does, or whoever did has died. Two may, for a moment, and it is well. */
function isMine(making: string): boolean {
  const maker = Number(linkAt(making) ?? process.pid);
  try {
    process.kill(maker, 0);
  } catch {
    rmSync(making, { force: true });
  }
  try {
    symlinkSync(String(process.pid), making);
    return true;
  } catch {
    return false;
  }
}

function release(making: string): void {
  if (linkAt(making) === String(process.pid)) rmSync(making, { force: true });
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Another run may still work with what an earlier state of the sources gave. */
function removeOld(): void {
  if (!existsSync(CACHE)) return;
  for (const name of readdirSync(CACHE)) {
    const { mtimeMs } = statSync(join(CACHE, name), { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (mtimeMs < Date.now() - DAY_MS) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}
