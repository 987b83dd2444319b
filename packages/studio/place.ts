import { ConversationId } from '@hearth/protocol/ids.ts';

/*
 * What the address says after its `#`, which a browser sends to nobody: a code to sign in with, and the conversation to
 * open. A code is taken out of the address before anything else happens.
 */

/** Where a link leads. */
export interface Place {
  readonly code: string | null;
  /** `null` = the default one. */
  readonly conversation: ConversationId | null;
}

/** Reads a fragment; what is not understood is left out. */
export function readPlace(fragment: string): Place {
  const text = fragment.replace(/^#/, '');
  const alone = ConversationId.safeParse(text);
  if (alone.success) return { code: null, conversation: alone.data };
  const named = new URLSearchParams(text);
  const conversation = ConversationId.safeParse(named.get('conversation'));
  return { code: named.get('login'), conversation: conversation.success ? conversation.data : null };
}

/** The fragment that names a conversation. */
export function fragmentOf(conversation: ConversationId | null): string {
  return conversation === null ? '' : `#${conversation}`;
}
