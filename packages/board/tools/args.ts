import { z } from 'zod';
import { TicketState } from '@hearth/protocol/ticket.ts';
import { BoardError } from '../board-error.ts';
import { closedState, ticketState } from '../transitions.ts';

/*
 * The arguments that several tools share. Models write ids as numbers and lists as text now and then: what can be read
 * in one way only is read, everything else is refused with a reason.
 */

/** `HB-4`, `hb-4`, `4` or the number 4. */
export const id = z
  .preprocess(value => (typeof value === 'number' ? String(value) : value), z.string())
  .describe('The ticket, for example HB-4.');

function readState(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value !== 'string') return value;
  try {
    return ticketState(value);
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    context.issues.push({ code: 'custom', message: error.message.replace(/\.$/, ''), input: value });
    return z.NEVER;
  }
}

/** A state, with `In progress` read as `in_progress`. */
export const state = z.preprocess(readState, TicketState);

/** A state that does not close a ticket: closing is a capability of its own, and only its tool may do it. */
export const openState = z.preprocess(
  (value, context) => {
    const read = readState(value, context);
    if (read !== closedState) return read;
    context.issues.push({
      code: 'custom',
      message: `only close_issue takes a ticket to ${read}`,
      input: value,
    });
    return z.NEVER;
  },
  TicketState.exclude([closedState]),
);

function listed(value: unknown): unknown {
  return typeof value === 'string' && value.trimStart().startsWith('[') ? parsed(value) : value;
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A list of labels, also when it arrives as the text of a JSON array. */
export const labels = z.preprocess(listed, z.array(z.string().trim().min(1).max(64)).max(32));

/** The name of a person or bot. */
export const name = z.string().max(100);

/** Vars for a bot's run, also when they arrive as the text of a JSON object. */
export const botArgs = z
  .preprocess(parsed, z.record(z.string(), z.json()))
  .describe("Vars of the bot's run, by name.");

/** When a ticket's turn comes. */
export const priority = z
  .int()
  .min(0)
  .max(9)
  .describe('When its turn comes: 0 first, 9 last; left out, in the middle.');

/** Tickets that come first, also when they arrive as the text of a JSON array or as numbers. */
export const blockers = z
  .preprocess(listed, z.array(id).max(32))
  .describe('Tickets that must be done before a bot begins on this one.');

/** Words of a comment or body. */
export const words = z
  .string()
  .trim()
  .min(1)
  .max(64 * 1024);
