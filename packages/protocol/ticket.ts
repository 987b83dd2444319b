import { z } from 'zod';
import { Actor } from './actor.ts';
import { CommandId, ConversationId, Instant, PauseId } from './ids.ts';
import { Json } from './json.ts';

/** Where a ticket stands. `done` is the only state that closes it. */
export const TicketState = z.enum([
  'inbox',
  'backlog',
  'ready',
  'in_progress',
  'awaiting_input',
  'review',
  'done',
  'blocked',
]);
export type TicketState = z.infer<typeof TicketState>;

/** `HB-` and a counter of the board. */
export const TicketId = z.templateLiteral(['HB-', z.int()]).refine(id => /^HB-[1-9]\d{0,14}$/.test(id));
export type TicketId = z.infer<typeof TicketId>;

/** What somebody said on a ticket; it is never changed afterwards. */
export const TicketComment = z.object({ author: z.string(), body: z.string(), at: Instant });
export type TicketComment = z.infer<typeof TicketComment>;

/** One change to a ticket, kept for ever. */
export const TicketChange = z.object({
  at: Instant,
  by: z.string(),
  what: z.enum([
    'created',
    'moved',
    'labelled',
    'assigned',
    'bot',
    'commented',
    'edited',
    'closed',
    'reopened',
    'prioritised',
    'claimed',
    'released',
  ]),
  from: z.string().exactOptional(),
  to: z.string().exactOptional(),
});
export type TicketChange = z.infer<typeof TicketChange>;

/** Who works on a ticket: a lease, which holds until it runs out or is given up. */
export const TicketClaim = z.object({
  /** A dispatcher, from one start of its service to the next. */
  holder: z.string(),
  /** Rises with every claim; what was begun under an earlier one changes nothing any more. */
  epoch: z.int().positive(),
  at: Instant,
  until: Instant,
  /** The pause of its conversation at which it waits for a person. */
  waits: PauseId.exactOptional(),
});
export type TicketClaim = z.infer<typeof TicketClaim>;

/** What came of dispatching a ticket so far. */
export const TicketDispatch = z.object({
  /** That of the last claim. */
  epoch: z.int().positive(),
  /** Rises when the ticket is begun afresh; each round has a conversation of its own. */
  round: z.int().positive(),
  /** Attempts of this round that failed. */
  failures: z.int().nonnegative(),
  conversation: ConversationId.nullable(),
  /** The bot and the title when the round began. */
  bot: z.string(),
  title: z.string(),
  /** The pause or turn that was counted as a failure last, and its code. */
  failed: z.string().exactOptional(),
  code: z.string().exactOptional(),
  /** When the next attempt is due. */
  retryAt: Instant.exactOptional(),
  /** There will be no other attempt until a person moves the ticket. */
  gaveUp: z.boolean().exactOptional(),
});
export type TicketDispatch = z.infer<typeof TicketDispatch>;

/** 0 goes first, 9 last; a ticket without one stands where 5 does. */
export const TicketPriority = z.int().min(0).max(9);
export type TicketPriority = z.infer<typeof TicketPriority>;

/** Tickets that must be done before a bot begins on one; the whole set. */
export const TicketBlockers = z.array(TicketId).max(32);
export type TicketBlockers = z.infer<typeof TicketBlockers>;

/** Vars for the run of the ticket's bot, by name. */
export const BotArgs = z
  .record(z.string().min(1).max(100), Json)
  .refine(args => JSON.stringify(args).length <= 64 * 1024, 'more than 64 KiB');
export type BotArgs = z.infer<typeof BotArgs>;

/** A ticket as the board keeps and sends it. `history` is whole; `claim` and `dispatch` are the dispatcher's. */
export const Ticket = z.object({
  id: TicketId,
  title: z.string(),
  body: z.string(),
  state: TicketState,
  labels: z.array(z.string()),
  bot: z.string().nullable(),
  botArgs: z.record(z.string(), Json).exactOptional(),
  priority: TicketPriority.exactOptional(),
  /** Absent: none. */
  blockers: TicketBlockers.exactOptional(),
  owner: z.string().nullable(),
  comments: z.array(TicketComment),
  history: z.array(TicketChange),
  claim: TicketClaim.exactOptional(),
  dispatch: TicketDispatch.exactOptional(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Ticket = z.infer<typeof Ticket>;

const id = { commandId: CommandId, actor: Actor };

/** What a new ticket may say of itself. */
export const NewTicket = z.object({
  title: z.string().trim().min(1).max(300),
  body: z
    .string()
    .max(64 * 1024)
    .exactOptional(),
  labels: z.array(z.string().trim().min(1).max(64)).max(32).exactOptional(),
  state: TicketState.exactOptional(),
  /** A bot's name, or the absolute path of a bundle. */
  bot: z.string().max(1000).exactOptional(),
  botArgs: BotArgs.exactOptional(),
  priority: TicketPriority.exactOptional(),
  blockers: TicketBlockers.exactOptional(),
  owner: z.string().max(100).exactOptional(),
});
export type NewTicket = z.infer<typeof NewTicket>;

/** POST `/board/tickets`. `workspace` is an absolute path in every board command. */
export const CreateTicket = z.object({ ...id, workspace: z.string(), ticket: NewTicket });
export type CreateTicket = z.infer<typeof CreateTicket>;

/** PATCH `/board/tickets/{t}`. `null` takes an owner, a bot, its args or a priority away; `labels` and `blockers` are whole new sets. */
export const ChangeTicket = z.object({
  ...id,
  workspace: z.string(),
  title: z.string().trim().min(1).max(300).exactOptional(),
  body: z
    .string()
    .max(64 * 1024)
    .exactOptional(),
  state: TicketState.exactOptional(),
  labels: z.array(z.string().trim().min(1).max(64)).max(32).exactOptional(),
  bot: z.string().max(1000).nullable().exactOptional(),
  botArgs: BotArgs.nullable().exactOptional(),
  priority: TicketPriority.nullable().exactOptional(),
  blockers: TicketBlockers.exactOptional(),
  owner: z.string().max(100).nullable().exactOptional(),
});
export type ChangeTicket = z.infer<typeof ChangeTicket>;

/** POST `/board/tickets/{t}/comments`. */
export const CommentTicket = z.object({
  ...id,
  workspace: z.string(),
  body: z
    .string()
    .trim()
    .min(1)
    .max(64 * 1024),
});
export type CommentTicket = z.infer<typeof CommentTicket>;

/** POST `/board/import`: a Markdown checklist or a JSON array of `NewTicket`, as text. */
export const ImportTickets = z.object({ ...id, workspace: z.string(), source: z.string(), name: z.string() });
export type ImportTickets = z.infer<typeof ImportTickets>;
