/**
 * The record is changed before the log tells of it, so a crash can leave a change untold. What was told last is known
 * from the snapshot and the commits after it; the difference to the record is what is still to be told.
 */
import type { EventBody } from '@hearth/protocol/event.ts';
import type { ConversationRecord, OpenedConversation } from './ports.ts';
import type { Proposal } from './stamp.ts';

type Told = Pick<ConversationRecord, 'title' | 'bot' | 'pinned'>;

/** What the log says of the record. */
export function toldIn({ snapshot, commits }: OpenedConversation): Told {
  let { title, bot, pinned }: Told = snapshot.view;
  for (const event of commits.flatMap(commit => commit.events)) {
    if (event.type !== 'conversation') continue;
    ({ title, bot } = event);
    if (event.change === 'pinned') pinned = true;
    if (event.change === 'unpinned') pinned = false;
  }
  return { title, bot, pinned };
}

/** The events that bring the log from `told` to the record. */
export function changesFrom(told: Told, record: ConversationRecord): readonly EventBody[] {
  const { title, bot, pinned, scope } = record;
  const changes = [
    ...(title === told.title ? [] : (['renamed'] as const)),
    ...(pinned === told.pinned ? [] : [pinned ? ('pinned' as const) : ('unpinned' as const)]),
    ...(bot === told.bot ? [] : (['bot'] as const)),
  ];
  return changes.map(change => ({ type: 'conversation', change, title, bot, scope }));
}

/** What tells of a conversation that was brought back, with the receipt of whoever did; `null` when it was not. */
export function restorationOf({ title, bot, scope, restored }: ConversationRecord): Proposal | null {
  if (restored === undefined) return null;
  const { commandId, payload } = restored;
  return {
    entries: [],
    events: [{ type: 'conversation', change: 'restored', title, bot, scope }],
    words: [{ is: 'mark', turn: null, mark: 'restored', text: 'brought back from the trash' }],
    receipt: { commandId, command: 'restore', payload, did: {} },
  };
}
