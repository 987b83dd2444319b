/**
 * A conversation on its way to another home: which of its files travel, and how they become one there.
 *
 * - What a backend keeps for itself stays behind: it may hold credentials, and its sessions mean nothing elsewhere. The next
 *   turn begins a fresh session from the transcript and says so.
 * - What arrives is staged under a name that nobody reads, verified as a whole, and gets its name in one step.
 * - Its epoch rises, so that whoever followed it where it came from is told that this is another history from here on.
 */
import { dirname, join } from 'node:path';
import { formatCursor, parseCursor } from '@hearth/protocol/cursor.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { DamagedFile, writeAtomic, writeJson } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import {
  conversationDirectory,
  conversationPath,
  epochDirectory,
  type HomeDirectory,
  stagedPath,
} from './conversation-directory.ts';
import { LogHeader } from './event-log.ts';
import type { ConversationRecord, RestoredNote } from './ports.ts';
import { readRecord, writeRecord } from './record.ts';
import { readSnapshot } from './snapshot.ts';
import { verifyConversation } from './verification.ts';

/** The files that travel, by their paths below the conversation; anything else is left behind and refused on arrival. */
const TRAVELS: readonly RegExp[] = [
  /^(?:conversation\.json|receipts\.jsonl)$/,
  /^epochs\/[1-9]\d{0,8}\/(?:snapshot\.json|events\.jsonl|transcript\.jsonl|journal\.[1-9]\d{0,8}\.jsonl)$/,
  /^epochs\/[1-9]\d{0,8}\/(?:plans\/[0-9a-f]{64}\.json|blobs\/[0-9a-f]{64})$/,
  /^epochs\/[1-9]\d{0,8}\/traces\/r[1-9]\d{0,8}\.jsonl$/,
  /^epochs\/[1-9]\d{0,8}\/artifacts\/[A-Za-z_][A-Za-z0-9_]{0,63}\/[1-9]\d{0,8}\.json$/,
];

/** Whether a file of that path belongs to a conversation that travels. */
export function travels(path: string): boolean {
  return TRAVELS.some(form => form.test(path));
}

/** The files of the conversation in a directory that travel, by their paths below it, in order. Links are left out. */
export async function travellers(disk: Disk, root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const left = [''];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    for (const name of await disk.list(join(root, at))) {
      const path = at === '' ? name : `${at}/${name}`;
      const kind = (await disk.stat(join(root, path)))?.kind;
      if (kind === 'directory') left.push(path);
      else if (kind === 'file' && travels(path)) found.push(path);
    }
  }
  return found.sort();
}

/** Where a conversation is put together, and who brings it. */
export interface Arrival {
  readonly id: ConversationId;
  readonly note: RestoredNote;
  /** Writes the files below the directory, by paths that travel. */
  readonly fill: (directory: string) => Promise<void>;
}

/**
 * Puts a conversation together and gives it its place; durable when it resolves. Rejects with `DamagedFile` when what
 * arrived is not whole, and then leaves nothing behind.
 */
export async function arrive(
  disk: Disk,
  home: HomeDirectory,
  { id, note, fill }: Arrival,
): Promise<ConversationRecord> {
  const staged = stagedPath(home, id);
  await disk.remove(staged);
  try {
    await fill(staged);
    const record = await renamed(disk, staged, id, note);
    const [damage] = (await verifyConversation(disk, staged, id)).filter(one => one.severity === 'damage');
    if (damage !== undefined) throw new DamagedFile(damage.path, damage.what);
    await synced(disk, staged);
    await disk.rename(staged, conversationPath(home, id));
    await disk.syncDirectory(home.conversations);
    return record;
  } catch (thrown) {
    await disk.remove(staged).catch(() => undefined);
    throw thrown;
  }
}

/** The record under its new id, and the present epoch under the next number. */
async function renamed(
  disk: Disk,
  root: string,
  id: ConversationId,
  note: RestoredNote,
): Promise<ConversationRecord> {
  const directory = conversationDirectory(root);
  const before = await readRecord(disk, directory.record);
  if (before === null) throw new DamagedFile(directory.record, 'it is missing');
  // What is wrong as it came is wrong; what is changed here must not hide it.
  const [damage] = (await verifyConversation(disk, root, before.id)).filter(one => one.severity === 'damage');
  if (damage !== undefined) throw new DamagedFile(damage.path, damage.what);
  const epoch = before.epoch + 1;
  const [from, to] = [epochDirectory(directory, before.epoch), epochDirectory(directory, epoch)];
  await disk.remove(to.root);
  await disk.rename(from.root, to.root);
  const snapshot = await readSnapshot(disk, to);
  const cursor = (text: string): string => {
    const position = parseCursor(text);
    return position === null ? text : formatCursor({ ...position, epoch });
  };
  const view = {
    ...snapshot.view,
    id,
    isDefault: false,
    head: cursor(snapshot.view.head),
    retained: cursor(snapshot.view.retained),
  };
  await writeJson(disk, to.snapshot, { ...snapshot, epoch, view });
  await renumbered(disk, to.events, epoch);
  const { restored: _back, imported: _here, ...kept } = before;
  const record = { ...kept, id, epoch, default: false, imported: note };
  await writeRecord(disk, directory.record, record);
  return record;
}

/** The first line of the log states the epoch; the others do not know of it. A log that is missing is made anew. */
async function renumbered(disk: Disk, path: string, epoch: number): Promise<void> {
  const bytes = await disk.read(path);
  if (bytes === null) return;
  const text = new TextDecoder().decode(bytes);
  const end = text.indexOf('\n');
  const header = LogHeader.parse(JSON.parse(text.slice(0, end)));
  const first = JSON.stringify({ ...header, epoch });
  await writeAtomic(disk, path, new TextEncoder().encode(`${first}${text.slice(end)}`));
}

async function synced(disk: Disk, root: string): Promise<void> {
  for (const name of await disk.list(root)) {
    const path = join(root, name);
    if ((await disk.stat(path))?.kind === 'directory') await synced(disk, path);
    else await disk.syncFile(path);
  }
  await disk.syncDirectory(root);
}

/** Writes one file of an arrival. */
export async function put(disk: Disk, directory: string, path: string, bytes: Uint8Array): Promise<void> {
  const target = join(directory, path);
  await disk.makeDirectory(dirname(target));
  await disk.write(target, bytes);
}
