/** Identifiers that count from 1, for tests and simulations: the same run makes the same ones. */
import { ConversationId } from '@hearth/protocol/ids.ts';
import type { Ids } from './ids.ts';

/** A fresh set of counters. */
export function countedIds(): Ids {
  let conversations = 0;
  let sessions = 0;
  let commands = 0;
  return {
    conversation: () => ConversationId.parse(`c_${padded(++conversations, 26)}`),
    session: () => `00000000-0000-4000-8000-${padded(++sessions, 12)}`,
    command: () => padded(++commands, 26),
  };
}

function padded(count: number, width: number): string {
  return String(count).padStart(width, '0');
}
