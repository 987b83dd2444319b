import type { EntryOf } from '../entry.ts';
import type { Draft } from './draft.ts';
import { cancelQueued } from './turn.ts';

/** A queued message was taken back. */
export function unsent(draft: Draft, entry: EntryOf<'unsent'>): void {
  const message = draft.state.inbox.find(queued => queued.id === entry.message);
  if (message !== undefined) cancelQueued(draft, message);
}
