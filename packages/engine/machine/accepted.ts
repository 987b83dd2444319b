import { blocks } from '@hearth/protocol/pause.ts';
import { refsOf } from '../attached-files.ts';
import type { EntryOf } from '../entry.ts';
import { takenUp } from '../taking-up.ts';
import type { Draft } from './draft.ts';
import { takeUp } from './decided.ts';
import { freshBurst } from './ledgers.ts';
import { absorb } from './turn.ts';

/** A message was accepted: it is told, and queued where it takes up nothing that was interrupted. */
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

  const { turn } = machine;
  const taken = takenUp(draft.plan, draft.state, workspace);
  const [first, ...others] = taken?.tokens ?? [];
  if (taken === null || first === undefined || turn === null) {
    draft.state.inbox.push(message);
    return;
  }
  for (const pause of taken.pauses) draft.closePause(pause.id, 'answered', by, { option: 'again' });
  if (!machine.pauses.some(blocks)) freshBurst(draft);
  absorb(draft, message, turn.id);
  // The words join one branch; every other that was interrupted with it goes on as it was.
  takeUp(draft, first, [message]);
  for (const token of others) takeUp(draft, token, []);
}

/** Told once the entry has been settled: a message that still waits is said to be queued. */
export function tellQueued(draft: Draft, entry: EntryOf<'accepted'>): void {
  const { id, turn } = entry.message;
  if (!draft.state.inbox.some(queued => queued.id === id)) return;
  draft.emit({ type: 'turn', turn, change: 'queued', message: id });
  draft.emit({ type: 'message.moved', message: id, to: 'queued' });
}
