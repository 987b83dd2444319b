import type { OptionRow } from './command.ts';

/* Options that several commands have. */

export const json: OptionRow = { summary: 'Print JSON.' };
export const workspace: OptionRow = {
  value: 'DIR',
  summary: 'Work there instead of in the checkout around this directory.',
};
export const conversation: OptionRow = {
  value: 'ID',
  short: 'c',
  summary: 'That conversation (an id or the beginning of one) instead of the default.',
};
export const ticket = { workspace, json };
export const forBot = {
  args: { value: 'JSON', summary: 'Vars for the bot, a JSON object.' },
  priority: { value: '0-9', summary: 'When its turn comes: 0 first, 9 last.' },
};
export const now: OptionRow = {
  summary: 'Wait for no turn; those under way wait for you at the next start.',
};
