import { TicketComment, TicketState } from '@hearth/protocol/ticket.ts';
import { z } from 'zod';

/*
 * What the board's and git's tools answer, read leniently: these shapes come from outside, and a rehearsal that stumbles
 * over an additional field would rehearse nothing.
 */

/** A ticket as the rehearsal knows it. A list tells no body and only the number of comments. */
export interface BoardTicket {
  readonly id: string;
  readonly title: string;
  readonly state: TicketState;
  readonly labels: readonly string[];
  readonly bot: string | null;
  readonly owner: string | null;
  readonly body: string;
  readonly comments: readonly string[];
}

/** All tickets in the board's order, and a line for each file that could not be read. */
export interface BoardReading {
  readonly tickets: readonly BoardTicket[];
  readonly damaged: readonly string[];
  /** How many tickets the tool knows of; more than `tickets.length` when it held some back. */
  readonly total: number;
}

const Ticket = z
  .object({
    id: z.string(),
    title: z.string(),
    state: TicketState,
    labels: z.array(z.string()).catch([]),
    bot: z.string().nullish(),
    owner: z.string().nullish(),
    body: z.string().catch(''),
    comments: z.array(TicketComment.partial().catch({})).catch([]),
  })
  .transform(
    (ticket): BoardTicket => ({
      ...ticket,
      bot: ticket.bot ?? null,
      owner: ticket.owner ?? null,
      comments: ticket.comments.flatMap(comment => (comment.body === undefined ? [] : [comment.body])),
    }),
  );

const tickets = z.array(z.unknown()).transform(rows =>
  rows.flatMap(row => {
    const read = Ticket.safeParse(row);
    return read.success ? [read.data] : [];
  }),
);

const List = z.object({
  tickets: tickets.optional(),
  issues: tickets.optional(),
  total: z.number().optional(),
  damaged: z.array(z.unknown()).catch([]),
});

const Damaged = z.object({ file: z.string(), why: z.string().catch('') });

/** Reads what `list_issues` answered: `{tickets}`, `{issues}` or the bare array. */
export function boardReading(content: unknown): BoardReading {
  const list = List.safeParse(Array.isArray(content) ? { tickets: content } : content);
  if (!list.success) return { tickets: [], damaged: [], total: 0 };
  const read = list.data.tickets ?? list.data.issues ?? [];
  const damaged = list.data.damaged.map(row => {
    const known = Damaged.safeParse(row);
    return known.success ? known.data.file : String(row);
  });
  return { tickets: read, damaged, total: list.data.total ?? read.length };
}

/** Reads what `get_issue` or `create_issue` answered; `null` when it is no ticket. */
export function ticketReading(content: unknown): BoardTicket | null {
  const wrapped = z.object({ issue: z.unknown() }).safeParse(content);
  const ticket = Ticket.safeParse(content);
  if (ticket.success) return ticket.data;
  const inner = Ticket.safeParse(wrapped.data?.issue);
  return inner.success ? inner.data : null;
}

const Commit = z.object({
  hash: z.string(),
  short: z.string(),
  date: z.string(),
  author: z.string().catch(''),
  subject: z.string(),
  body: z.string().catch(''),
});

/** A commit as `git_log` tells it. */
export type Commit = z.infer<typeof Commit>;

/** Reads what `git_log` answered, newest first; anything else is no history. */
export function commitReading(content: unknown): readonly Commit[] {
  return z.object({ commits: z.array(Commit) }).safeParse(content).data?.commits ?? [];
}
