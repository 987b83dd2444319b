/**
 * The way back out of quarantine. A conversation that lies there comes back to where it was, mended if need be; until the
 * one rename that does it, it is there and whole, and after that it is in its place.
 */
import { dirname, join } from 'node:path';
import { ConversationId } from '@hearth/protocol/ids.ts';
import { instant } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { conversationPath, type HomeDirectory, recordPath } from './conversation-directory.ts';
import { readRecord, writeRecord } from './record.ts';
import { otherDefault } from './record-again.ts';
import { remainsOf } from './remains.ts';
import { salvage, type SalvageContext } from './salvage.ts';
import { BROUGHT_BACK } from './salvage-words.ts';
import { idInTrash } from './trash.ts';

/** A conversation in quarantine. */
export interface SetAside {
  /** Its name under `quarantine/`. */
  readonly name: string;
  readonly id: ConversationId;
  /** Its own directory there. */
  readonly root: string;
  /** Where it was. */
  readonly place: string;
}

/** The conversations that lie in quarantine, oldest first; everything else there is no conversation. */
export async function conversationsSetAside(disk: Disk, home: HomeDirectory): Promise<readonly SetAside[]> {
  const found: SetAside[] = [];
  for (const name of await disk.list(home.quarantine)) {
    for (const child of await disk.list(join(home.quarantine, name))) {
      const root = join(home.quarantine, name, child);
      const id = ConversationId.safeParse(child).data;
      const closed = idInTrash(child);
      if (id !== undefined) found.push({ name, id, root, place: conversationPath(home, id) });
      else if (closed !== null) found.push({ name, id: closed, root, place: join(home.trash, child) });
    }
  }
  return found;
}

/** Why one cannot come back, a sentence; `null` when it can. Rejects with `DiskError`. */
export async function whyNotBack(
  { disk, home }: Pick<SalvageContext, 'disk' | 'home'>,
  { id, root, place }: SetAside,
): Promise<string | null> {
  if ((await disk.stat(place)) !== null) return 'There is one of that name in its place again.';
  const trash = await disk.list(home.trash);
  if (place.startsWith(home.conversations) && trash.some(name => idInTrash(name) === id))
    return 'There is one of that id in the trash.';
  if ((await disk.stat(root))?.kind !== 'directory' || (await remainsOf(disk, root, id)) === null)
    return 'Nothing is left of it to go by.';
  return null;
}

/** Brings one back. Resolves to why it could not be done; `null` when it is durable in its place. */
export async function bringBack(context: SalvageContext, one: SetAside): Promise<string | null> {
  const { disk, home, quarantine, clock } = context;
  const { id, root, place } = one;
  const why = await whyNotBack(context, one);
  if (why !== null) return why;
  if (!(await salvage(context, root, id))) return 'Nothing is left of it to go by.';
  const record = await readRecord(disk, recordPath(root));
  if (record === null) return 'Nothing is left of it to go by.';
  const { mended = { at: instant(clock), ...BROUGHT_BACK } } = record;
  const isDefault = record.default && !(await otherDefault(disk, home, id));
  await writeRecord(disk, recordPath(root), { ...record, default: isDefault, mended });
  await disk.makeDirectory(dirname(place));
  await disk.syncDirectory(home.root);
  await disk.rename(root, place);
  await disk.syncDirectory(dirname(place));
  await disk.syncDirectory(dirname(root));
  await quarantine.discard(one.name);
  return null;
}
