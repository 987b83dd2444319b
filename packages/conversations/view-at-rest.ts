import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import type { Disk } from '@hearth/store/disk.ts';
import {
  conversationPath,
  type HomeDirectory,
  journalPath,
  recordPath,
  stateOfEpoch,
} from './conversation-directory.ts';
import { readRecord } from './record.ts';
import { readSnapshot } from './snapshot.ts';

/**
 * The view of a conversation as its snapshot holds it, without opening it. `null` when there is none, and when its journal
 * tells of more, which only opening it reads. Rejects with `DamagedFile` or `DiskError`.
 */
export async function viewAtRest(
  disk: Disk,
  home: HomeDirectory,
  id: ConversationId,
): Promise<ConversationView | null> {
  const root = conversationPath(home, id);
  // A link would lead to another's files.
  if ((await disk.stat(root))?.kind !== 'directory') return null;
  const record = await readRecord(disk, recordPath(root));
  if (record?.id !== id) return null;
  const state = stateOfEpoch(root, record.epoch);
  const { view, generation } = await readSnapshot(disk, state);
  const journal = await disk.stat(journalPath(state, generation));
  if (journal !== null && journal.bytes > 0) return null;
  const { title, bot, pinned, scope } = record;
  return { ...view, id, title, bot, pinned, scope, isDefault: record.default };
}
