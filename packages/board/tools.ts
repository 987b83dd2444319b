import type { Tool } from '@hearth/engine/tool.ts';
import type { Boards } from './boards.ts';
import { changingTools } from './tools/changing.ts';
import { readingTools } from './tools/reading.ts';

/**
 * The ten board tools. Each names the capability that a node must have to be offered it; each works on the board of
 * the turn's workspace and writes the bot down as the author.
 */
export function boardTools(boards: Boards): Tool[] {
  return [...readingTools(boards), ...changingTools(boards)];
}
