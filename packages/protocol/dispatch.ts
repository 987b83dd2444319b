import { z } from 'zod';
import { Actor } from './actor.ts';
import { CommandId, ConversationId, Instant, PauseId } from './ids.ts';
import { TicketId, TicketPriority, TicketState } from './ticket.ts';

/** Why a ticket that is `ready` is not worked on. */
export const DispatchWait = z.enum(['off', 'no_bot', 'unfit', 'no_place', 'held', 'retry', 'blockers']);
export type DispatchWait = z.infer<typeof DispatchWait>;

/**
 * How a ticket stands with the dispatcher. `working`: its bot is at work; `waits`: at a pause, for a person; `ready`: it
 * will be begun, or `why` says why not; `gave_up`: it is left to a person.
 */
export const DispatchRow = z.object({
  workspace: z.string(),
  ticket: TicketId,
  title: z.string(),
  state: TicketState,
  priority: TicketPriority.exactOptional(),
  bot: z.string().nullable(),
  is: z.enum(['working', 'waits', 'ready', 'gave_up']),
  conversation: ConversationId.nullable(),
  pause: PauseId.exactOptional(),
  /** Attempts of this round that failed. */
  failures: z.int().nonnegative(),
  why: DispatchWait.exactOptional(),
  /** One sentence, where `why` alone does not say what to do. */
  detail: z.string().exactOptional(),
  /** When the next attempt is due. */
  at: Instant.exactOptional(),
});
export type DispatchRow = z.infer<typeof DispatchRow>;

/** GET and PUT `/dispatch`. */
export const DispatchStatus = z.object({
  on: z.boolean(),
  concurrency: z.int().positive(),
  attempts: z.int().positive(),
  /** What is under way first, then what is `ready` in the order in which it is begun, then what was given up. */
  tickets: z.array(DispatchRow),
  /** Boards and settings that cannot be read now, one sentence each. */
  problems: z.array(z.string()),
});
export type DispatchStatus = z.infer<typeof DispatchStatus>;

/** PUT `/dispatch`. */
export const SetDispatch = z.object({ commandId: CommandId, actor: Actor, on: z.boolean() });
export type SetDispatch = z.infer<typeof SetDispatch>;
