import { isInterrupted } from './interrupted.ts';
import type { PauseId } from '@hearth/protocol/ids.ts';
import { blocks } from '@hearth/protocol/pause.ts';
import { publishes } from '../document.ts';
import { damageUnseen } from '../quiescent.ts';
import { refsOf } from '../attached-files.ts';
import type { EntryOf } from '../entry.ts';
import type { Token } from '../state.ts';
import type { Draft } from './draft.ts';
import { takeUp } from './decided.ts';
import { freshBurst } from './ledgers.ts';
import { absorb } from './turn.ts';

/**
 * A message was accepted: it is told and queued. One exception to "a message decides nothing": at an `interrupted`
 * recovery a message means "again", with itself joined (docs/adr/0006), unless it comes from another workspace than
 * the turn's (docs/adr/0007), or a part of the journal was lost and nobody has seen that yet.
 */
export function accepted(draft: Draft, entry: EntryOf<'accepted'>): void {
  const { message } = entry;
  draft.accepted = message.id;
  const { counters, machine } = draft.state;
  counters.message = Math.max(counters.message, Number(message.id.slice(1)));
  counters.turn = Math.max(counters.turn, Number(message.turn.slice(1)));
  const text = draft.text(message.text);
  const { id, by, delivery, commandId, workspace } = message;
  const where = workspace === null ? {} : { workspace };
  const attachments = refsOf(message.files ?? []);
  draft.emit({
    type: 'message',
    message: id,
    by,
    text,
    commandId,
    delivery,
    attachments,
    ...where,
    turn: message.turn,
  });
  draft.say({
    is: 'said',
    turn: message.turn,
    message: id,
    by,
    text,
    ...where,
    ...(attachments.length > 0 ? { attachments } : {}),
  });

  const interrupted = machine.pauses.filter(pause => isInterrupted(pause) && takesWords(draft, pause.id));
  const { turn } = machine;
  const here = turn !== null && (workspace ?? turn.workspace) === turn.workspace;
  const [first, ...others] = interrupted.flatMap(pause => heldAt(draft, pause.id));
  if (first === undefined || !here || damageUnseen(draft.state)) {
    draft.state.inbox.push(message);
    return;
  }
  for (const pause of interrupted) draft.closePause(pause.id, 'answered', by, { option: 'again' });
  if (!machine.pauses.some(blocks)) freshBurst(draft);
  absorb(draft, message, turn.id);
  // The words join one branch; every other that was interrupted with it goes on as it was.
  takeUp(draft, first, [message]);
  for (const token of others) takeUp(draft, token, []);
}

/** Passing words may not become the authority of what makes or acts on artifacts, nor of what is done beside the graph. */
function takesWords(draft: Draft, pause: PauseId): boolean {
  return heldAt(draft, pause).every(({ node: name, beside }) => {
    const node = draft.plan.nodes[name];
    const guarded = node !== undefined && 'requires' in node && node.requires !== undefined;
    return beside === undefined && !guarded && publishes(draft.plan, name) === null;
  });
}

function heldAt(draft: Draft, pause: PauseId): readonly Token[] {
  return draft.run?.tokens.filter(({ stage }) => stage.is === 'held' && stage.pause === pause) ?? [];
}

/** Told once the entry has been settled: a message that still waits is said to be queued. */
export function tellQueued(draft: Draft, entry: EntryOf<'accepted'>): void {
  const { id, turn } = entry.message;
  if (!draft.state.inbox.some(queued => queued.id === id)) return;
  draft.emit({ type: 'turn', turn, change: 'queued', message: id });
  draft.emit({ type: 'message.moved', message: id, to: 'queued' });
}
