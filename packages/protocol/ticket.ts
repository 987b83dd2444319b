import { z } from 'zod';
import { Actor } from './actor.ts';
import { CommandId, Instant } from './ids.ts';

/** Where a ticket stands. `done` is the only state that closes it. */
export const TicketState = z.enum(['inbox', 'backlog', 'ready', 'in_progress', 'review', 'done', 'blocked']);
export type TicketState = z.infer<typeof TicketState>;

/** `HB-` and a counter of the board. */
export const TicketId = z.templateLiteral(['HB-', z.int()]).refine(id => /^HB-[1-9]\d{0,14}$/.test(id));
export type TicketId = z.infer<typeof TicketId>;

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
  ]),
  from: z.string().exactOptional(),
  to: z.string().exactOptional(),
});
export type TicketChange = z.infer<typeof TicketChange>;

export const Ticket = z.object({
  id: TicketId,
  title: z.string(),
  body: z.string(),
  state: TicketState,
  labels: z.array(z.string()),
  bot: z.string().nullable(),
  owner: z.string().nullable(),
  comments: z.array(TicketComment),
  history: z.array(TicketChange),
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
  bot: z.string().max(100).exactOptional(),
  owner: z.string().max(100).exactOptional(),
});
export type NewTicket = z.infer<typeof NewTicket>;

/** POST `/board/tickets`. `workspace` is an absolute path in every board command. */
export const CreateTicket = z.object({ ...id, workspace: z.string(), ticket: NewTicket });
export type CreateTicket = z.infer<typeof CreateTicket>;

/** PATCH `/board/tickets/{t}`. `null` takes an owner or bot away; `labels` is the whole new set. */
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
  bot: z.string().max(100).nullable().exactOptional(),
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
