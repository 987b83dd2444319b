/** Identifiers made from the time and the machine's own randomness; they sort by the moment at which they were made. */
import { randomFillSync, randomUUID } from 'node:crypto';
import { ConversationId } from '@hearth/protocol/ids.ts';
import { decodeTime, ulid } from 'ulid';
import type { Ids } from './ids.ts';

/** Randomness is had for many ids at once: each time takes as long as all else that an id costs. */
const pool = new Uint8Array(1024);
let used = pool.length;

/** The next number in [0, 1), of 256 equally likely ones; an id takes five bits of each. */
function random(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  used += 1;
  return byte / 256;
}

/** A ULID. */
const made = (): string => ulid(undefined, random);

/** The ids of a real home. Conversations get a ULID in lower case, sessions a random UUID, commands a ULID. */
export const systemIds: Ids = {
  conversation: () => ConversationId.parse(`c_${made().toLowerCase()}`),
  session: () => randomUUID(),
  command: made,
};

/** When a conversation was made, as its id tells; `null` for an id that tells no time. */
export function madeAt(id: ConversationId): string | null {
  try {
    return new Date(decodeTime(id.slice('c_'.length).toUpperCase())).toISOString();
  } catch {
    return null;
  }
}
