import type { ConversationId } from '@hearth/protocol/ids.ts';

/** Identifiers that need time or randomness, injected. Counters (`t31`, `p52`…) are the machine's own. */
export interface Ids {
  conversation(): ConversationId;
  /** A session of a backend, a UUID. */
  session(): string;
  /** A command id for what the service itself asks for. */
  command(): string;
}
