import type { CommandId, Digest } from '@hearth/protocol/ids.ts';
import type { Attached } from '@hearth/protocol/text.ts';
import type { Scope } from '@hearth/protocol/scope.ts';
import type { BotArgs, TicketState } from '@hearth/protocol/ticket.ts';
import type { ConversationState } from '@hearth/protocol/view.ts';

/* What the client's calls take besides what they are about. */

/** Any call can be aborted; a write can name its command id, so that it can be made again later, even by another process. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}
/**
 * A write under an id of one's own is the same command however often it is sent; without one, the client makes an
 * id.
 */
export interface WriteOptions extends CallOptions {
  readonly commandId?: CommandId;
}

/** A message to send. `expects` is the `revision` it was written against; see the protocol's `SendMessage`. */
export interface Outgoing extends WriteOptions {
  readonly text: string;
  readonly delivery: 'steer' | 'queue' | 'reject';
  /** The checkout root of the surface, an absolute path. */
  readonly workspace?: string;
  /** A preset of the bot, for the run that the message begins. */
  readonly preset?: string;
  /** Files that were uploaded; `as` names the attachment of the bot that one is. */
  readonly attachments?: readonly Attached[];
  readonly expects?: number;
}

/** What was on screen when a decision was made; required where a card is answered. */
export interface Seen extends WriteOptions {
  readonly artifact?: string;
  readonly version?: number;
  readonly digest?: Digest;
}

/** Which conversations; what is left out leaves all. */
export interface ListFilter {
  readonly scope?: Scope['kind'];
  readonly state?: ConversationState;
  /** A part of the title. */
  readonly text?: string;
}

/** Which tickets; what is left out leaves all. `text` is a part of the title or the body. */
export interface TicketFilter {
  readonly state?: TicketState;
  readonly label?: string;
  readonly text?: string;
}

/** What is to change of a ticket: what is left out stays, `null` takes away. */
export interface TicketEdit extends WriteOptions {
  readonly title?: string;
  readonly body?: string;
  readonly state?: TicketState;
  readonly labels?: readonly string[];
  readonly bot?: string | null;
  readonly owner?: string | null;
  readonly botArgs?: BotArgs | null;
  readonly priority?: number | null;
  /** Ids of tickets that must be done before; the whole set. */
  readonly blockers?: readonly string[];
}
