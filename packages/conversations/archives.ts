/**
 * The epochs before the current one are kept whole, up to a number. What a reset that was cut short leaves above the
 * record's epoch belongs to nobody and is removed; one in which something happened, beside a record of earlier, is set
 * aside. A record that is not durable yet removes nothing.
 */
import { join } from 'node:path';
import type { Disk } from '@hearth/store/disk.ts';
import { type ConversationDirectory, epochDirectory } from './conversation-directory.ts';
import type { Damage } from './ports.ts';
import type { Quarantine } from './quarantine.ts';

/** How many earlier epochs are kept. */
export const ARCHIVES = 16;

/** What is told of epochs that the record does not know of. */
const RECORD_BEHIND: Damage = {
  code: 'record_behind',
  text: 'The record of this conversation is older than its last reset, as in a copy that was made while Hearth wrote. What was said after the reset was set aside in quarantine; look at what was said last before you go on.',
  serious: true,
};

/**
 * Brings the epochs of a conversation in line with its record. `failure` is why the record could not be made durable, or
 * something not removed; then nothing may be written after it. `null` when all is well.
 */
export async function settleEpochs(
  disk: Disk,
  directory: ConversationDirectory,
  current: number,
  quarantine: Quarantine,
): Promise<{ readonly damage: readonly Damage[]; readonly failure: unknown }> {
  const damage: Damage[] = [];
  try {
    const numbers = await epochsIn(disk, directory);
    const surplus = numbers.filter(number => number > current || number < current - ARCHIVES);
    // The reset that named this epoch may have ended before its record was durable.
    if (current > 1 || surplus.length > 0) await disk.syncDirectory(directory.root);
    for (const number of surplus) {
      const path = join(directory.epochs, String(number));
      if (number > current && (await lived(disk, directory, number))) {
        await quarantine.move(path, `"${path}" is of a later reset than its conversation's record.`);
        damage.splice(0, 1, RECORD_BEHIND);
      } else await disk.remove(path);
    }
    return { damage, failure: null };
  } catch (thrown) {
    return { damage, failure: thrown };
  }
}

/** Whether an epoch was ever opened: its words are written then, and not when it is made. */
export async function lived(disk: Disk, directory: ConversationDirectory, number: number): Promise<boolean> {
  return (await disk.stat(epochDirectory(directory, number).transcript)) !== null;
}

/** The epochs before the current one that are kept, the latest first. */
export async function earlierEpochs(
  disk: Disk,
  directory: ConversationDirectory,
  current: number,
): Promise<readonly number[]> {
  const earlier = (await epochsIn(disk, directory)).filter(number => number >= 1 && number < current);
  return earlier.sort((a, b) => b - a);
}

/** The numbers of the epochs that there are, in no order. */
export async function epochsIn(disk: Disk, directory: ConversationDirectory): Promise<number[]> {
  return (await disk.list(directory.epochs)).map(Number).filter(Number.isInteger);
}
