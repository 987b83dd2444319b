/**
 * The epochs before the current one are kept whole, up to a number. What a reset that was cut short leaves above the
 * record's epoch belongs to nobody and is removed; a record that is not durable yet removes nothing.
 */
import { join } from 'node:path';
import type { Disk } from '@hearth/store/disk.ts';
import type { ConversationDirectory } from './conversation-directory.ts';

/** How many earlier epochs are kept. */
export const ARCHIVES = 16;

/**
 * Brings the epochs of a conversation in line with its record. Resolves to why the record could not be made durable;
 * then nothing was removed, and nothing may be written after it. `null` when all is well.
 */
export async function settleEpochs(
  disk: Disk,
  directory: ConversationDirectory,
  current: number,
): Promise<unknown> {
  try {
    const numbers = await epochsIn(disk, directory);
    const surplus = numbers.filter(number => number > current || number < current - ARCHIVES);
    // The reset that named this epoch may have ended before its record was durable.
    if (current > 1 || surplus.length > 0) await disk.syncDirectory(directory.root);
    for (const number of surplus) await disk.remove(join(directory.epochs, String(number)));
    return null;
  } catch (thrown) {
    return thrown;
  }
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

async function epochsIn(disk: Disk, directory: ConversationDirectory): Promise<number[]> {
  return (await disk.list(directory.epochs)).map(Number).filter(Number.isInteger);
}
