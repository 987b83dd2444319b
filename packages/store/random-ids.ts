/** Identifiers made from the time and the machine's own randomness; they sort by the moment at which they were made. */
import { randomUUID } from 'node:crypto';
import { ConversationId } from '@hearth/protocol/ids.ts';
import { decodeTime, ulid } from 'ulid';
import type { Ids } from './ids.ts';

/** The ids of a real home. Conversations get a ULID in lower case, sessions a random UUID, commands a ULID. */
export const systemIds: Ids = {
  conversation: () => ConversationId.parse(`c_${ulid().toLowerCase()}`),
  session: () => randomUUID(),
  command: () => ulid(),
};

/** When a conversation was made, as its id tells; `null` for an id that tells no time. */
export function madeAt(id: ConversationId): string | null {
  try {
    return new Date(decodeTime(id.slice('c_'.length).toUpperCase())).toISOString();
  } catch {
    return null;
  }
}
