import { AUTHOR_COMMANDS } from './author-commands.ts';
import { BOARD_COMMANDS } from './board-commands.ts';
import type { CommandRow } from './command.ts';
import { CONVERSATION_COMMANDS } from './conversation-commands.ts';
import { RUN_COMMANDS } from './run-commands.ts';
import { SERVICE_COMMANDS } from './service-commands.ts';

/*
 * The table of commands. Parsing, help and dispatch all read it, so none of them can disagree with another.
 */

/** All commands, in the order in which help lists them. */
export const COMMANDS: readonly CommandRow[] = [
  ...CONVERSATION_COMMANDS,
  ...RUN_COMMANDS,
  ...SERVICE_COMMANDS,
  ...AUTHOR_COMMANDS,
  ...BOARD_COMMANDS,
];
