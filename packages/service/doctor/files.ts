import type { Stats } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DamagedFile, readJson } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { publishedService } from '../service-file.ts';
import { Settings, settingsPath } from '../settings.ts';
import { tokenFault } from '../token.ts';
import { type Check, type Diagnosis, ok } from './check.ts';

/*
 * What a home holds: who may read it, and what was left behind.
 */

/** Directories that belong to their person, with whatever modes they like. */
const THEIRS = new Set(['workspace']);
/** What is told of one kind, at most. */
const TOLD = 20;

/** What a crash leaves of a file that was being replaced. */
const LEFT = /^\..+\.\d+-\d+\.tmp$/;

interface Found {
  readonly path: string;
  readonly name: string;
  readonly mode: number;
  readonly link: boolean;
  /** Its owner, where that is not who asks. */
  readonly foreign: number | null;
  /** It is its owner's, and these are the rights that Hearth needs: those to a file, or to a directory. */
  readonly needs: number;
}

/** A home's files are 0600 and its directories 0700. */
function foundAt(path: string, name: string, info: Stats): Found {
  const mine = info.uid === process.getuid?.();
  const needs = mine ? (info.isDirectory() ? 0o700 : 0o600) : 0;
  // Where a system has no users, nothing is another's.
  const foreign = mine || process.getuid === undefined ? null : info.uid;
  return { path, name, mode: info.mode & 0o777, link: info.isSymbolicLink(), foreign, needs };
}

type Told = Pick<Diagnosis, 'check' | 'severity' | 'path' | 'what'>;

/** Every file and directory of a home but the person's own; links are not followed. */
async function* walk(directory: string, top = true): AsyncGenerator<Found> {
  // Of one that may not be read only the directory itself is told.
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    if (top && THEIRS.has(entry.name)) continue;
    const path = join(directory, entry.name);
    const info = await lstat(path).catch(() => null);
    if (info === null) continue;
    yield foundAt(path, entry.name, info);
    if (info.isDirectory()) yield* walk(path, false);
  }
}

/** Looks whether anybody else can read or write what the home holds, whether its person can, and for links in it. */
export const permissions: Check = async ({ home, disk, holding }) => {
  const found: Diagnosis[] = [];
  const all: Found[] = [foundAt(home, '', await lstat(home))];
  for await (const one of walk(home)) all.push(one);
  const open = all.filter(one => !one.link && (one.mode & 0o077) !== 0);
  const closed = all.filter(one => !one.link && (one.mode & one.needs) !== one.needs);
  const told = (who: string, [first, ...others]: readonly Found[]): Told => ({
    check: 'permissions',
    severity: 'error',
    path: first?.path ?? home,
    what: `${who} ${others.length + 1} of the home’s files and directories (the first is "${first === undefined ? '' : relative(home, first.path) || '.'}").`,
  });
  if (open.length > 0) {
    found.push({
      ...told('Others may use', open),
      repair: 'takes the rights of others away',
      mend: async () => {
        for (const { path, mode } of open) await chmod(path, mode & 0o700);
      },
    });
  }
  if (closed.length > 0) {
    found.push({
      ...told('Yours, and closed to you, are', closed),
      repair: 'gives their owner’s rights back',
      mend: async () => {
        for (const { path, mode, needs } of closed) await chmod(path, (mode & 0o700) | needs);
      },
    });
  }
  const others = all.filter(one => one.foreign !== null);
  if (others.length > 0) {
    const what = `Another user’s (uid ${others[0]?.foreign}) are`;
    const { what: said, ...rest } = told(what, others);
    const how = `Only that user or root can give them back: chown -R ${process.getuid?.()} "${home}".`;
    found.push({ ...rest, what: `${said} ${how}`, repair: null });
  }
  for (const { path } of all.filter(one => one.link).slice(0, TOLD)) {
    const what =
      'There is a link among the home’s files, which Hearth never makes: look where it leads, and remove it.';
    found.push({ check: 'permissions', severity: 'warning', path, what, repair: null });
  }
  const left = all.filter(one => LEFT.test(one.name));
  if (left.length > 0 && holding !== 'held') {
    found.push({
      check: 'permissions',
      severity: 'warning',
      path: left[0]?.path ?? home,
      what: `Half written when a service ended, and nothing that was acknowledged: ${left.length} ${left.length === 1 ? 'file' : 'files'}.`,
      ...(holding === 'free' ? sweeping(disk, left) : { repair: null }),
    });
  }
  return found.length > 0
    ? found
    : [ok('permissions', `Only you may use what the home holds (${all.length} files and directories).`)];
};

/** Only where no service writes: beside one, such a file may be about to get its name. */
function sweeping(disk: Disk, left: readonly Found[]): Pick<Diagnosis, 'repair' | 'mend'> {
  const mend = async (): Promise<void> => {
    for (const { path } of left) await disk.remove(path);
  };
  return { repair: 'removes what was half written', mend };
}

/** Looks whether the lock and the published service agree. */
export const lock: Check = async ({ home, disk, holding }) => {
  const published = await publishedService(disk, home).catch(() => null);
  const path = join(home, 'service.json');
  if (holding === 'unseen') {
    const what = 'Whether a service works in the home cannot be seen: check who may read its lock.';
    return [{ check: 'lock', severity: 'error', path: join(home, 'lock.sqlite'), what, repair: null }];
  }
  if (holding === 'held') {
    if (published !== null) return [ok('lock', `A service works in the home (process ${published.pid}).`)];
    const what =
      'A service works in the home and its file service.json is gone: "hearth status" has it written anew.';
    return [{ check: 'lock', severity: 'warning', path, what, repair: null }];
  }
  if (published === null) return [ok('lock', 'No service works in the home.')];
  return [
    {
      check: 'lock',
      severity: 'warning',
      path,
      what: `The service that published itself (process ${published.pid}) has died.`,
      repair: 'removes what it published',
      mend: () => disk.remove(path),
    },
  ];
};

/** Looks whether the settings can be read. */
export const settings: Check = async ({ home, disk }) => {
  const path = settingsPath(home);
  try {
    const found = await readJson(disk, path, Settings);
    return [
      ok(
        'settings',
        found === null ? 'There are no settings; the standard ones hold.' : 'The settings can be read.',
      ),
    ];
  } catch (thrown) {
    if (!(thrown instanceof DamagedFile)) throw thrown;
    const what = `The settings are not as they should be (${thrown.why}): correct that, or move the file away.`;
    return [{ check: 'settings', severity: 'error', path, what, repair: null }];
  }
};

/** Looks whether the home has a token that can be used. */
export const token: Check = async ({ home, disk }) => {
  const what = await tokenFault(disk, home);
  if (what === null) return [ok('token', 'The token of the home is one.')];
  return [{ check: 'token', severity: 'error', path: join(home, 'token'), what, repair: null }];
};
