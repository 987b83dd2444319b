import { constants } from 'node:fs';
import { access, chmod, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { HomeError } from './home-error.ts';

/*
 * Guarantees that a home which passes is a directory of ours, mode 0700, writable, and either empty, a home of the
 * format we know, or one whose initialisation was cut short. It talks to the real file system and not to the `Disk`,
 * because owners and modes are no part of that port.
 */

/** The format of homes that this version reads and writes. */
export const HOME_FORMAT = 1;

/** What a directory may hold before `home.json` is written; anything else means that it is somebody's other folder. */
const OURS = new Set([
  'lock.sqlite',
  'lock.sqlite-journal',
  'lock.sqlite-wal',
  'lock.sqlite-shm',
  'service.json',
  'token',
  'settings.json',
  'index.json',
  'behind.txt',
  'receipts.jsonl',
  'conversations',
  'trash',
  'quarantine',
  'boards',
  'metrics',
  'presence.jsonl',
  'watching.json',
  'windows.json',
  'surfaces',
  'logs',
  'workspace',
  'bundles',
  'retention.json',
  'secrets',
  'worktrees',
  'memory',
  'code',
]);

/** What a crash leaves of a file that was being replaced. */
const TEMP =
  /^\.(home\.json|token|service\.json|settings\.json|retention\.json|index\.json|behind\.txt|watching\.json|presence\.jsonl)\..+\.tmp$/;

const HomeRecord = z.object({ format: z.int() });

/** Creates the home when there is none; resolves to its real path. Rejects with `HomeError`. */
export async function prepareHome(path: string): Promise<string> {
  const home = await created(path);
  const info = await stat(home);
  if (!info.isDirectory()) {
    throw new HomeError(
      'not_a_directory',
      `The home ${path} is not a directory: move it away, or name another home in HEARTH_HOME.`,
    );
  }
  const me = process.getuid?.();
  if (me !== undefined && info.uid !== me) {
    throw new HomeError(
      'not_yours',
      `The home ${path} belongs to another user (uid ${info.uid}): name a home of your own in HEARTH_HOME.`,
    );
  }
  await checkWritable(home, path);
  await checkContents(home, path);
  // Only now: the directory is known to be a home, so tightening it takes nothing from anybody.
  if ((info.mode & 0o777) !== 0o700)
    await chmod(home, 0o700).catch(error => Promise.reject(failed(error, path)));
  return home;
}

async function created(path: string): Promise<string> {
  try {
    await make(path);
    return await realpath(path);
  } catch (error) {
    throw failed(error, path);
  }
}

/** Makes a directory and its parents. (A recursive `mkdir` never returns below a directory that can hold none.) */
async function make(path: string): Promise<void> {
  const answer = await mkdir(path, { mode: 0o700 }).catch(errnoOf);
  if (answer === undefined || (answer === 'EEXIST' && (await stat(path)).isDirectory())) return;
  if (answer !== 'ENOENT' || dirname(path) === path) throw Object.assign(new Error(answer), { code: answer });
  await make(dirname(path));
  await mkdir(path, { mode: 0o700 });
}

async function checkWritable(home: string, path: string): Promise<void> {
  try {
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw failed(error, path);
  }
}

async function checkContents(home: string, path: string): Promise<void> {
  const names = await readdir(home).catch(error => Promise.reject(failed(error, path)));
  if (!names.includes('home.json')) {
    const foreign = names.find(name => !OURS.has(name) && !TEMP.test(name));
    if (foreign === undefined) return;
    throw new HomeError(
      'not_a_home',
      `The directory ${path} holds other files ("${foreign}") and is no Hearth home: name an empty or new directory in HEARTH_HOME.`,
    );
  }
  await checkRecord(home, path);
}

/** Rejects with `HomeError` when `home.json` is not that of a home of the format we know. `path` is the home as it was named. */
export async function checkRecord(home: string, path = home): Promise<void> {
  const file = join(home, 'home.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => Promise.reject(unread(error, file)));
  const record = HomeRecord.safeParse(json(text));
  if (!record.success) {
    throw unreadable(file);
  }
  if (record.data.format !== HOME_FORMAT) {
    throw new HomeError(
      'newer_format',
      `The home ${path} has format ${record.data.format} and this Hearth knows format ${HOME_FORMAT}: use the version of Hearth that wrote it.`,
    );
  }
}

/** The record only says that this is a home and of which format, so the next start can make it anew. */
function unreadable(file: string): HomeError {
  return new HomeError(
    'home_damaged',
    `The file ${file} cannot be read as a home's record: move it away and start again, and it is made anew; all else in the home stays as it is.`,
  );
}

function unread(error: unknown, file: string): HomeError {
  const errno = errnoOf(error);
  if (errno === 'EISDIR') return unreadable(file);
  if (errno !== 'EACCES' && errno !== 'EPERM') return failed(error, file);
  return new HomeError(
    'home_damaged',
    `Hearth has no permission for "${file}": "hearth doctor --repair" opens it if it is yours; if it belongs to another user, only that user or root can give it back. Then try again.`,
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const REASONS: Readonly<Record<string, readonly ['read_only' | 'not_a_directory' | 'disk_failed', string]>> =
  {
    EROFS: ['read_only', 'is on a read-only file system'],
    EACCES: ['read_only', 'cannot be written'],
    EPERM: ['read_only', 'cannot be written'],
    EEXIST: ['not_a_directory', 'is not a directory'],
    ENOTDIR: ['not_a_directory', 'is not a directory'],
    ENOSPC: ['disk_failed', 'is on a full disk'],
  };

function failed(error: unknown, path: string): HomeError {
  const errno = errnoOf(error);
  const [code, what] = REASONS[errno] ?? (['disk_failed', `cannot be used (${errno})`] as const);
  const closed = errno === 'EACCES' || errno === 'EPERM';
  const first = closed ? 'if it is yours, open it with "hearth doctor --repair"; else ' : '';
  return new HomeError(
    code,
    `The home ${path} ${what}: ${first}name a writable directory of your own in HEARTH_HOME.`,
  );
}

function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
