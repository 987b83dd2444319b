/**
 * The directories of a conversation are its own. A link in the place of one would have another's files read and served,
 * and its own written elsewhere, since only the last part of a path is kept from being followed.
 */
import { dirname, join } from 'node:path';
import { DamagedFile, sweepTemps } from '@hearth/store/atomic-file.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { type ConversationDirectory, type EpochDirectory, epochDirectory } from './conversation-directory.ts';
import type { Damage } from './ports.ts';
import type { Quarantine } from './quarantine.ts';
import type { Receipts } from './receipts.ts';

/** Rejects with `DamagedFile` when something else is in the place of a directory; what is missing is nobody's link. */
export async function checkOwnPlaces(disk: Disk, { root, epochs }: ConversationDirectory): Promise<void> {
  await check(disk, [root, epochs]);
  const names = (await disk.list(epochs)).filter(name => /^[1-9]\d*$/.test(name));
  await check(
    disk,
    names.map(name => join(epochs, name)),
  );
  await check(
    disk,
    names.flatMap(name => {
      const { plans, blobs, files, backend, traces, artifacts } = epochDirectory({ root }, Number(name));
      return [plans, blobs, files, backend, traces, artifacts];
    }),
  );
}

async function check(disk: Disk, paths: readonly string[]): Promise<void> {
  const found = await Promise.all(paths.map(path => disk.stat(path)));
  for (const [index, path] of paths.entries()) {
    const kind = found[index]?.kind ?? 'directory';
    if (kind !== 'directory') throw new DamagedFile(path, 'it is not a directory');
  }
}

/** What is told when the receipts had to be set aside. */
export const RECEIPTS_LOST: Damage = {
  code: 'receipts_lost',
  text: 'Receipts of this conversation are gone or could not be read. A command from before that is sent again may be taken for a new one.',
  serious: false,
};

/**
 * Sets aside a directory in the place of a file that the journal can fill again, and of the receipts. A disk that
 * takes no writes leaves it there. What is lost for good is in the result.
 */
export async function clearFiles(
  disk: Disk,
  { receipts }: ConversationDirectory,
  { events, transcript, audit }: EpochDirectory,
  quarantine: Quarantine,
): Promise<readonly Damage[]> {
  const damage: Damage[] = [];
  for (const path of [events, transcript, audit, receipts]) {
    // A link is not set aside: the conversation is refused, as for every link in it.
    if ((await disk.stat(path))?.kind !== 'directory') continue;
    const moved = await quarantine.move(path, `"${path}" was no file.`).then(accepted, refused);
    if (moved && path === receipts) damage.push(RECEIPTS_LOST);
  }
  return damage;
}

/**
 * Sets receipts aside of which no line can be read. Resolves to what is lost by that; a disk that takes no writes leaves
 * them there.
 */
export async function clearReceipts(
  disk: Disk,
  path: string,
  receipts: Receipts,
  quarantine: Quarantine,
): Promise<readonly Damage[]> {
  const found = await disk.stat(path);
  if (found?.kind !== 'file' || found.bytes === 0) return [];
  // Where they may not be read now they are asked for with the first command.
  const lines = await linesIn(receipts).catch((thrown: unknown) => {
    if (thrown instanceof DiskError) return null;
    throw thrown;
  });
  // A beginning of the first line alone is what a loss of power leaves of a write that the journal has too.
  if (lines !== 'unreadable') return [];
  await receipts.close();
  const moved = await quarantine.move(path, `No line of "${path}" could be read.`).then(accepted, refused);
  return moved ? [RECEIPTS_LOST] : [];
}

async function linesIn(receipts: Receipts): Promise<'none' | 'readable' | 'unreadable'> {
  if ((await receipts.last()) !== 0) return 'readable';
  return (await receipts.bytes()) === 0 ? 'none' : 'unreadable';
}

/** Sets aside what lies in the place of a directory and is none. Rejects with `DiskError`. */
export async function clearPlace(disk: Disk, path: string, quarantine: Quarantine): Promise<void> {
  if (((await disk.stat(path))?.kind ?? 'directory') !== 'directory')
    await quarantine.move(path, `"${path}" was no directory.`);
}

/** Makes a directory in its own place; what else lies there is set aside. Rejects with `DiskError`. */
export async function makeOwn(disk: Disk, path: string, quarantine: Quarantine): Promise<void> {
  await clearPlace(disk, path, quarantine);
  await disk.makeDirectory(path);
}

/**
 * Makes a directory in its own place and its name durable, once: `made` are those of which that is known. One that somebody
 * removed since is made anew. Rejects with `DiskError`.
 */
export async function makeLasting(
  disk: Disk,
  path: string,
  quarantine: Quarantine,
  made: Set<string>,
): Promise<void> {
  if (made.has(path) && (await disk.stat(path))?.kind === 'directory') return;
  await makeOwn(disk, path, quarantine);
  await disk.syncDirectory(dirname(path));
  made.add(path);
}

/**
 * Removes the beginnings of files that an end of the process left in a conversation and inside its epoch. Nothing may be at
 * work there. What cannot be removed now is in nobody's way.
 */
export async function sweepBeginnings(
  disk: Disk,
  conversation: string,
  { root, plans, blobs, backend }: EpochDirectory,
): Promise<void> {
  const within = async (path: string): Promise<string[]> =>
    (await disk.list(path)).map(name => join(path, name));
  const sweep = async (): Promise<void> => {
    const artifacts = join(root, 'artifacts');
    const named = [...(await within(backend)), ...(await within(artifacts))];
    for (const path of [conversation, plans, blobs, ...named])
      if ((await disk.stat(path))?.kind === 'directory') await sweepTemps(disk, path);
  };
  await sweep().catch(() => undefined);
}

const accepted = (): boolean => true;
const refused = (): boolean => false;
