import { createHash } from 'node:crypto';
import type { HearthClient } from '@hearth/client/http.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { CommandId } from '@hearth/protocol/ids.ts';
import type { Ticket, TicketChange } from '@hearth/protocol/ticket.ts';

/** The command ids of one closing. */
export interface ClosingIds {
  readonly comment: CommandId;
  readonly close: CommandId;
}

/** The changes that move a ticket from one state to another. */
const MOVES: ReadonlySet<TicketChange['what']> = new Set(['created', 'moved', 'closed', 'reopened']);

/**
 * Closes a ticket that is open, with a comment first. No command of the board does both, and a process may end between
 * the two: so both ids follow from what is asked and from the state that the ticket is in, and whoever asks for the same
 * again goes on where it ended, without a second comment. In this order nothing is ever closed without its reason.
 */
export async function closeWithComment(
  client: HearthClient,
  workspace: string,
  ticket: Ticket,
  comment: string,
): Promise<Ticket> {
  const ids = closingIds(client.actor, workspace, ticket, comment);
  await client.commentTicket(workspace, ticket.id, comment, { commandId: ids.comment });
  return client.changeTicket(workspace, ticket.id, { state: 'done', commandId: ids.close });
}

/** The same for the same closing; others once the ticket has been in another state, so that it can be closed once more. */
export function closingIds(actor: Actor, workspace: string, ticket: Ticket, comment: string): ClosingIds {
  const moves = ticket.history.filter(change => MOVES.has(change.what));
  const asked = [actor.kind, actor.name, actor.surface, workspace, ticket.id, comment];
  const digest = createHash('sha256')
    .update(JSON.stringify([...asked, ticket.createdAt, moves.length]))
    .digest('hex')
    .slice(0, 40);
  return { comment: `${digest}-comment`, close: `${digest}-close` };
}
