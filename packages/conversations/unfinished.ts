/** What a log tells of that was not finished, in words for a person. Pure. */
import type { Event } from '@hearth/protocol/event.ts';
import type { MessageId, PauseId, TurnId } from '@hearth/protocol/ids.ts';
import { owes } from '@hearth/protocol/pause.ts';
import type { Text } from '@hearth/protocol/text.ts';
import { headOf } from '@hearth/protocol/text.ts';

/** Of one kind, so many are named. */
const NAMED = 5;
/** Characters of what is named. */
const HEAD = 80;

/** Phrases such as `the question "Which one?"`; events that were trimmed away are not known of. */
export function unfinishedIn(events: readonly Event[]): readonly string[] {
  const said = new Map<MessageId, Text>();
  const turns = new Map<TurnId, MessageId>();
  const asked = new Map<PauseId, Text>();
  for (const event of events) {
    if (event.type === 'message' && event.by.kind !== 'bot') said.set(event.message, event.text);
    else if (event.type === 'turn') {
      if (ENDED.has(event.change)) turns.delete(event.turn);
      else turns.set(event.turn, event.message);
    } else if (event.type === 'pause.opened' || event.type === 'pause.changed') {
      if (owes(event.pause)) asked.set(event.pause.id, event.pause.text);
    } else if (event.type === 'pause.closed') asked.delete(event.pause);
  }
  const messages = [...turns.values()].map(message => said.get(message) ?? '');
  return [...named('the message', messages), ...named('the question', [...asked.values()])];
}

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'absorbed']);

function named(what: string, texts: readonly Text[]): string[] {
  const told = texts.slice(0, NAMED).map(text => `${what} "${beginning(text)}"`);
  return texts.length > NAMED ? [...told, `and ${texts.length - NAMED} more`] : told;
}

function beginning(text: Text): string {
  const line = (typeof text === 'string' ? text : headOf(text)).replace(/\s+/g, ' ').trim();
  return line.length > HEAD ? `${line.slice(0, HEAD)}…` : line;
}
