/** Identifiers made from the time and the machine's own randomness; they sort by the moment at which they were made. */
import { randomUUID } from 'node:crypto';
import { ConversationId } from '@hearth/protocol/ids.ts';
import { ulid } from 'ulid';
import type { Ids } from './ids.ts';

export const systemIds: Ids = {
  conversation: () => ConversationId.parse(`c_${ulid().toLowerCase()}`),
  session: () => randomUUID(),
  command: () => ulid(),
};
