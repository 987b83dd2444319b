/**
 * What was said in a conversation, backwards through all its epochs. Sequence numbers go on from epoch to epoch, so one
 * number is a place in all of them.
 *
 * - A page is of one epoch, so that nothing before a reset is taken for something after it.
 * - Epochs before the current one are read as they are, and nothing is ever written to them.
 */
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { earlierEpochs } from './archives.ts';
import { type ConversationDirectory, epochDirectory } from './conversation-directory.ts';
import { Transcript } from './transcript.ts';

/** The current epoch. */
export interface CurrentEpoch {
  readonly number: number;
  readonly transcript: Transcript;
}

/** See `Store.history`. Rejects with `DiskError`. */
export async function readHistory(
  disk: Disk,
  directory: ConversationDirectory,
  current: CurrentEpoch,
  before: number | null,
  turns: number,
): Promise<HistoryPage> {
  const archived = (epoch: number): Promise<Transcript> =>
    Transcript.archived(disk, epochDirectory(directory, epoch).transcript);
  let epoch = current.number;
  let page = await current.transcript.page(before, turns);
  if (page.hasOlder) return { epoch, ...page, end: null };
  const earlier = await earlierEpochs(disk, directory, epoch);
  const left = earlier[Symbol.iterator]();
  if (before !== null && page.items.length === 0) {
    for (const number of left) {
      epoch = number;
      page = await (await archived(number)).page(before, turns);
      if (page.items.length > 0) break;
    }
    if (page.hasOlder) return { epoch, ...page, end: null };
  }
  for (const number of left) {
    const { last } = await archived(number);
    if (last === 0) continue;
    const previous = page.items[0]?.seq ?? last + 1;
    return { epoch, items: page.items, previous, hasOlder: true, end: null };
  }
  return { epoch, ...page, end: (earlier.at(-1) ?? epoch) === 1 ? 'beginning' : 'dropped' };
}
