import type { OptionRow } from './command.ts';

/* Options that several commands have. */

/** What is printed is then for programs, which must pass over fields that they do not know. */
export const json: OptionRow = { summary: 'Print JSON.' };
/** Absent, the workspace is the one in which the command is called. */
export const workspace: OptionRow = {
  value: 'DIR',
  summary: 'Work there instead of in the checkout around this directory.',
};
/** Absent, the command is about the default conversation. */
export const conversation: OptionRow = {
  value: 'ID',
  short: 'c',
  summary: 'That conversation (an id or the beginning of one) instead of the default.',
};
/** Options of every command that is about tickets. */
export const ticket = { workspace, json };
/** Options that say how a bot works on a ticket. */
export const forBot = {
  args: { value: 'JSON', summary: 'Vars for the bot, a JSON object.' },
  priority: { value: '0-9', summary: 'When its turn comes: 0 first, 9 last.' },
  blockers: { value: 'A,B', summary: 'Tickets that must be done before; "none" takes them away.' },
};
/** Ends without the few seconds that turns under way otherwise get. */
export const now: OptionRow = {
  summary: 'Wait for no turn; those under way wait for you at the next start.',
};
