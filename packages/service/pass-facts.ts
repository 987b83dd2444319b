import type { RetentionReport } from '@hearth/protocol/retention.ts';
import type { Facts } from './log.ts';

type Passed = Pick<RetentionReport, 'choices' | 'trash' | 'failed' | 'kept'>;

/** What the service's log tells of a pass of retention: how many went, and how many could not; counts, and no titles. */
export function passFacts({ choices, trash, failed, kept }: Passed): Facts {
  const stays = new Set(kept);
  const removed = choices.filter(({ remove, conversation }) => remove && !stays.has(conversation));
  const discarded = trash.filter(({ remove, name }) => remove && !stays.has(name));
  return { removed: removed.length, discarded: discarded.length, failed: failed.length };
}
