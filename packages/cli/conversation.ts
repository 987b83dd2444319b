import type { HearthClient } from '@hearth/client/http.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { ConversationId } from '@hearth/protocol/ids.ts';
import { CommandError } from './command.ts';

/** The conversation that a person named by its id or the beginning of one; `null` names the default. */
export async function findConversation(client: HearthClient, named: string | null): Promise<ConversationId> {
  if (named === null) return (await client.default()).id;
  const whole = ConversationId.safeParse(named);
  if (whole.success) return whole.data;
  const begins = named.startsWith('c_') ? named : `c_${named}`;
  const { conversations } = await client.list();
  const found = conversations.filter(row => row.id.startsWith(begins.toLowerCase()));
  const [first] = found;
  if (first === undefined || named.trim() === '') {
    throw new CommandError(
      EXIT.failed,
      'unknown_conversation',
      `There is no conversation "${named}": see "hearth list".`,
    );
  }
  if (found.length > 1) {
    const message = `"${named}" is the beginning of ${found.length} conversations: give more of the id (see "hearth list").`;
    throw new CommandError(EXIT.failed, 'unknown_conversation', message);
  }
  return first.id;
}
