import { access, chmod, constants, stat, statfs } from 'node:fs/promises';
import { currentChoice, standardBackends } from '../choice.ts';
import { BundleBots } from '../bots.ts';
import { BotError } from '@hearth/engine/bot.ts';
import { systemIds } from '@hearth/store/random-ids.ts';
import { join } from 'node:path';
import { type Check, type Diagnosis, ok } from './check.ts';
import { checkRecord } from '../home.ts';
import { HomeError } from '../home-error.ts';
import { homeDirectory, recordPath } from '@hearth/conversations/conversation-directory.ts';
import { RecordFile } from '@hearth/conversations/record.ts';
import { readJson } from '@hearth/store/atomic-file.ts';

/*
 * What a home needs of the machine: Node, room on the disk, bots that compile, somebody who answers.
 */

const MIB = 1024 * 1024;
/** Free bytes below which a person should know, and below which the next write may fail. */
const LITTLE = 256 * MIB;
const NONE = 8 * MIB;

/** What its owner needs to look into a directory, and into a file. */
const LOOK = 0o500;
const READ = 0o400;

/** The package runs on this or newer; from source Hearth brings its own. */
const NODE = [22, 18] as const;

/** Looks whether this Node is new enough. */
export const nodeVersion: Check = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const fits = major > NODE[0] || (major === NODE[0] && minor >= NODE[1]);
  const said = `Node ${process.versions.node} runs this.`;
  if (fits) return Promise.resolve([ok('node', said)]);
  const what = `${said} Hearth needs ${NODE.join('.')} or newer: install that.`;
  return Promise.resolve([{ check: 'node', severity: 'error', path: process.execPath, what, repair: null }]);
};

/** Looks whether the home can be written, and how much room there is. */
export const diskSpace: Check = async ({ home }) => {
  if (!(await access(home, constants.W_OK).then(accepted, refused))) {
    const what = 'The home cannot be written, so it can be looked at and nothing else: make it writable.';
    return [{ check: 'disk', severity: 'error', path: home, what, repair: null }];
  }
  const { bavail, bsize } = await statfs(home);
  const free = bavail * bsize;
  const said = `${Math.floor(free / MIB)} MiB are free on the disk of the home.`;
  if (free >= LITTLE) return [ok('disk', said)];
  const severity = free < NONE ? 'error' : 'warning';
  return [{ check: 'disk', severity, path: home, what: `${said} Free some space.`, repair: null }];
};

/** Tells which backend answers in this environment, which need not be that of the service. */
export const backend: Check = async ({ disk, clock, env }) => {
  const { name, why } = await currentChoice(standardBackends({ disk, clock, ids: systemIds, env }), env);
  return [ok('backend', `Bots that leave the choice open get ${name} in this environment (${why}).`)];
};

/** The bots that come with Hearth, and those that conversations use. */
export const bots: Check = async ({ home, disk }) => {
  const bundles = new BundleBots(undefined, { disk, directory: join(home, 'bundles') });
  const { conversations } = homeDirectory(home);
  const names = new Set(await bundles.names());
  for (const id of await disk.list(conversations)) {
    const record = await readJson(disk, recordPath(join(conversations, id)), RecordFile).catch(() => null);
    if (record !== null) names.add(record.bot);
  }
  const found: Diagnosis[] = [];
  for (const name of names) {
    try {
      await bundles.load(name);
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      const what = `The bot "${name}" cannot be run: ${error.message}`;
      found.push({ check: 'bots', severity: 'warning', path: name, what, repair: null });
    }
  }
  const whole = names.size - found.length;
  return [ok('bots', `${whole} of ${names.size} bots compile and can be run.`), ...found];
};

/** Whether there is a home at all that this person may use. */
export const home: Check = async ({ home: path }) => {
  const found = await stat(path).catch(() => null);
  const wrong = (what: string): readonly Diagnosis[] => [
    { check: 'home', severity: 'error', path, what, repair: null },
  ];
  if (found === null) return wrong('There is no home yet; the first command that needs one makes it.');
  if (!found.isDirectory())
    return wrong('The home is not a directory: move it away, or name another one in HEARTH_HOME.');
  const me = process.getuid?.();
  if (me !== undefined && found.uid !== me) {
    return wrong(`The home belongs to another user (uid ${found.uid}): name one of your own in HEARTH_HOME.`);
  }
  if ((found.mode & LOOK) !== LOOK) return [closed(path, 'The home is', 0o700)];
  const { mark } = homeDirectory(path);
  if ((await stat(mark).catch(() => null)) === null)
    return wrong(
      'The home was never wholly made, or its file home.json is gone: the next start finishes it.',
    );
  // The same sentence with which a start is refused.
  const refused = await checkRecord(path).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const info = refused === null ? null : await stat(mark).catch(() => null);
  if (info !== null && info.uid === found.uid && (info.mode & READ) === 0)
    return [closed(mark, 'The record of the home is', 0o600)];
  if (refused instanceof HomeError)
    return [{ check: 'home', severity: 'error', path: mark, what: refused.message, repair: null }];
  return [ok('home', 'The home is a directory of yours.')];
};

/** Yours, and without the rights with which anything can be looked at; whatever else is wrong is told once it has them. */
function closed(path: string, what: string, rights: number): Diagnosis {
  return {
    check: 'home',
    severity: 'error',
    path,
    what: `${what} yours and closed to you, so nothing else could be looked at.`,
    repair: 'gives its owner’s rights back; look again afterwards',
    mend: () => chmod(path, rights),
  };
}

const accepted = (): boolean => true;
const refused = (): boolean => false;
