import { type Bots, BotError } from '@hearth/engine/bot.ts';
import { givenVars } from '@hearth/engine/run-vars.ts';
import type { Ticket } from '@hearth/protocol/ticket.ts';

/**
 * Why the bot of a ticket cannot begin on it, as a sentence: it cannot be loaded, or does not take the ticket's args;
 * `null` when it can. Nothing is claimed and nothing is begun by asking.
 */
export async function misfitOf(
  bots: Pick<Bots, 'load'>,
  { bot, botArgs = {} }: Pick<Ticket, 'bot' | 'botArgs'>,
): Promise<string | null> {
  try {
    const { plan, dispatchVars = {} } = await bots.load(bot ?? '');
    const given = givenVars(plan, { ...dispatchVars, ...botArgs });
    return given.ok ? null : given.why;
  } catch (thrown) {
    if (thrown instanceof BotError) return thrown.message;
    throw thrown;
  }
}
