import { actions } from './actions.ts';
import { awaiting, interaction } from './agent.ts';
import { type Block, readBlock } from './header.ts';
import { id, int, promptName, str, words } from './kinds.ts';
import type { Parser } from './parser.ts';

const HUMAN = {
  input: id,
  output: id,
  publish: id,
  instructions: promptName,
  interaction,
  interaction_prompt: id,
  interaction_model: str,
  model: str,
  system: promptName,
  await: awaiting,
  min_answers: int,
  pause: words(['chat', 'input']),
  actions,
} as const;

/** `human NAME:` as written. */
export type HumanSyntax = Block<'human', typeof HUMAN>;

/** Reads `human NAME:` and its properties; unknown ones are told by a later check. */
export function readHuman(parser: Parser): HumanSyntax | undefined {
  return readBlock(parser, 'human', HUMAN, 'checked later');
}
