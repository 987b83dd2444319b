import { Cursor } from '@hearth/protocol/cursor.ts';
import { Recovery } from '@hearth/protocol/recovery.ts';
import { Ticket } from '@hearth/protocol/ticket.ts';
import { ConversationRow } from '@hearth/protocol/view.ts';
import { z } from 'zod';
import type { PlacedEvent } from './frame.ts';
import { placeEvent } from './frame.ts';

/*
 * The answers of routes that are no noun of the protocol by themselves: lists, and reports of a check or an import.
 */

/** Something on the disk that could not be read, and why; the rest of the list is complete. */
export const Damaged = z.looseObject({ why: z.string() });
export type Damaged = z.infer<typeof Damaged>;

/** GET `/conversations`, latest first. */
export const ConversationList = z.object({
  conversations: z.array(ConversationRow),
  damaged: z.array(Damaged).default([]),
});
export type ConversationList = z.infer<typeof ConversationList>;

/** GET `/board/tickets`. */
export const TicketList = z.object({ tickets: z.array(Ticket), damaged: z.array(Damaged).default([]) });
export type TicketList = z.infer<typeof TicketList>;

/** POST `/board/import`: what was made, and what was left out because an open ticket has that title. */
export const ImportReport = z.object({
  created: z.array(Ticket),
  skipped: z.array(z.object({ title: z.string(), why: z.string() })),
});
export type ImportReport = z.infer<typeof ImportReport>;

/** GET `/bots`. */
export const BotList = z.object({ bots: z.array(z.looseObject({ name: z.string() })) });
export type BotList = z.infer<typeof BotList>;

/** POST `/bots/check`: the compiler's findings, empty when the bot is sound. */
export const BotCheck = z.object({
  ok: z.boolean(),
  diagnostics: z.array(z.looseObject({ code: z.string(), severity: z.string(), message: z.string() })),
});
export type BotCheck = z.infer<typeof BotCheck>;

/** A page of the log as a surface gets it; events of an unknown kind keep their place. */
export interface Page {
  readonly events: readonly PlacedEvent[];
  readonly next: Cursor;
  readonly head: Cursor;
  readonly retained: Cursor;
}

/** GET `…/events`. */
export const PageAnswer = z
  .object({
    events: z.array(z.object({ cursor: Cursor, event: z.unknown() })),
    next: Cursor,
    head: Cursor,
    retained: Cursor,
  })
  .transform(
    (page): Page => ({ ...page, events: page.events.map(({ cursor, event }) => placeEvent(cursor, event)) }),
  );

/** The recovery that takes a page's place, when the cursor cannot be continued. */
export function readRecovery(status: number, body: unknown): Recovery | undefined {
  if (status !== 409) return undefined;
  const recovery = Recovery.safeParse(body);
  return recovery.success ? recovery.data : undefined;
}
