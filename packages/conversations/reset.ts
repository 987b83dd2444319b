/**
 * A reset: what was open is closed, the next epoch is staged, and the record names it. Whatever stops it, the
 * conversation is in the old epoch, untouched, or in the new one, whole, with the receipt of who asked.
 */
import type { Receipt } from '@hearth/protocol/receipt.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import { resetEpoch } from './beginnings.ts';
import type { Opening } from './opening.ts';
import type { Store } from './ports.ts';

/**
 * Resolves to the receipt when the new epoch is durable. `before` is closed then, and after a rejection the conversation
 * must be opened anew. Rejects with the failure of the disk.
 */
export async function resetTo(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  before: Opening,
  receipt: Omit<Receipt, 'at'>,
): Promise<Receipt | null> {
  await before.driver.close();
  await before.writer.still();
  const { failure, fence, record, durable } = before.writer;
  if (failure) throw failure;
  await before.close();
  const { state, head } = durable;
  const next = resetEpoch({ record, state, head, fence, at: instant(clock), receipt });
  await store.reset(next.record, next.epoch);
  return next.epoch.commit.receipt ?? null;
}
