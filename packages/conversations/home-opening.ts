import { formatCursor } from '@hearth/protocol/cursor.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { DamagedFile } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { settleEpochs } from './archives.ts';
import { Audit } from './audit.ts';
import type { ConversationDirectory, EpochDirectory, HomeDirectory } from './conversation-directory.ts';
import { conversationDirectory, conversationPath, epochDirectory } from './conversation-directory.ts';
import { Epoch } from './epoch.ts';
import { checkOwnPlaces, clearFiles, clearReceipts, sweepBeginnings } from './own-places.ts';
import type { ConversationRecord, OpenedConversation } from './ports.ts';
import type { Quarantine } from './quarantine.ts';
import { Receipts } from './receipts.ts';
import { readRecord } from './record.ts';
import { clearMended } from './salvage.ts';

/** A conversation that is open. */
export interface Opened {
  readonly directory: ConversationDirectory;
  readonly files: EpochDirectory;
  readonly receipts: Receipts;
  readonly audit: Audit;
  readonly number: number;
  readonly epoch: Epoch;
  /** Why nothing may be written; `null` while all is well. */
  readonly failure: unknown;
  /** Directories that were made since it was opened, whose names survive. */
  readonly made: Set<string>;
}

/** Where a home is, and where what was damaged in it is set aside. */
export interface OpeningContext {
  readonly disk: Disk;
  readonly home: HomeDirectory;
  readonly quarantine: Quarantine;
}

/**
 * Opens a conversation, anew when it is `opened` already; `null` when there is none. Rejects with `DamagedFile` when its
 * record cannot be read.
 */
export async function openedIn(
  { disk, home, quarantine }: OpeningContext,
  c: ConversationId,
  opened: () => Opened | undefined,
): Promise<{ readonly files: Opened; readonly conversation: OpenedConversation } | null> {
  const directory = conversationDirectory(conversationPath(home, c));
  const root = await disk.stat(directory.root);
  if (root === null) return null;
  await checkOwnPlaces(disk, directory);
  const record = await recordIn(disk, c, directory);
  const settled = await settleEpochs(disk, directory, record.epoch, quarantine);
  const before = opened();
  await before?.receipts.close();
  await before?.audit.close();
  const files = epochDirectory(directory, record.epoch);
  if (settled.failure === null) await clearMended(disk, directory, record);
  const cleared = await clearFiles(disk, directory, files, quarantine);
  if (before === undefined) await sweepBeginnings(disk, directory.root, files);
  const found = new Receipts(disk, directory.receipts);
  const unread = await clearReceipts(disk, directory.receipts, found, quarantine);
  const receipts = unread.length === 0 ? found : new Receipts(disk, directory.receipts);
  const context = { disk, directory: files, quarantine, receipts };
  const { epoch, snapshot, commits, damage: damaged } = await Epoch.open(context, before?.epoch ?? null);
  const audit = new Audit(disk, files.audit);
  const { failure } = settled;
  const made = {
    directory,
    files,
    receipts,
    audit,
    number: record.epoch,
    epoch,
    failure,
    made: new Set<string>(),
  };
  const { head, boundary } = epoch.events;
  const damage = [
    ...settled.damage,
    ...cleared,
    ...unread,
    ...damaged.filter(one => !cleared.includes(one) && !unread.includes(one)),
  ];
  const place = { head: formatCursor(head), retained: formatCursor(boundary) };
  return { files: made, conversation: { record, snapshot, commits, damage, ...place } };
}

async function recordIn(
  disk: Disk,
  c: ConversationId,
  directory: ConversationDirectory,
): Promise<ConversationRecord> {
  const record = await readRecord(disk, directory.record);
  if (record === null) throw new DamagedFile(directory.record, 'it is missing');
  if (record.id !== c) throw new DamagedFile(directory.record, `it is that of ${record.id}`);
  return record;
}
