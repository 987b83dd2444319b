/**
 * The record is changed before the log tells of it, so a crash can leave a change untold. What was told last is known
 * from the snapshot and the commits after it; the difference to the record is what is still to be told.
 */
import type { Commit } from '@hearth/engine/commit.ts';
import { SERVICE } from '@hearth/engine/machine/draft.ts';
import type { PermissionRule } from '@hearth/engine/permission-rule.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import type { Digest } from '@hearth/protocol/ids.ts';
import type { ConversationRecord, MendedNote, OpenedConversation } from './ports.ts';
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

/** What tells of a conversation that came back or here, with the receipt of whoever asked; `null` when it did not. */
export function arrivalOf(
  { title, bot, scope, restored, imported }: ConversationRecord,
  rules: readonly PermissionRule[],
  plan: Digest | null,
): Proposal | null {
  const arrived = imported ?? restored;
  if (arrived === undefined) return null;
  const [change, command, text] = imported === undefined ? RESTORED : IMPORTED;
  const { commandId, payload } = arrived;
  return {
    // What somebody allowed elsewhere is not allowed here.
    entries:
      imported === undefined || plan === null
        ? []
        : rules.map(({ rule }) => ({ is: 'revoked', rule, by: SERVICE, plan })),
    events: [{ type: 'conversation', change, title, bot, scope }],
    words: [{ is: 'mark', turn: null, mark: change, text }],
    receipt: { commandId, command, payload, did: {} },
  };
}

const RESTORED = ['restored', 'restore', 'brought back from the trash'] as const;
const IMPORTED = ['imported', 'import', 'imported from an archive'] as const;

/** What tells of a conversation that was mended. */
export function mendingOf({ code, severity, text }: MendedNote): Proposal {
  const lost = {
    is: 'mark',
    turn: null,
    mark: 'lost',
    text: 'the state was lost here and began anew',
  } as const;
  return {
    entries: [],
    events: [{ type: 'notice', code, severity, text }],
    words: severity === 'error' ? [lost] : [],
    receipt: null,
  };
}

/** Whether the log tells it already: the record may say so a little longer. */
export function wasTold({ code, text }: MendedNote, commits: readonly Commit[]): boolean {
  return commits
    .flatMap(commit => commit.events)
    .some(event => event.type === 'notice' && event.code === code && event.text === text);
}
