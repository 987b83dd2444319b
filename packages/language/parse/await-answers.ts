import { awaiting } from './agent.ts';
import { type Block, readBlock } from './header.ts';
import { ids, str } from './kinds.ts';
import type { Parser } from './parser.ts';

const AWAIT_ANSWERS = { from: ids, timeout: str, await: awaiting } as const;

/** Profile 2: a node that waits for answers to questions for which their agents did not wait. */
export type AwaitAnswersSyntax = Block<'await_answers', typeof AWAIT_ANSWERS>;

/** Reads `await_answers NAME:`; `undefined` when nothing of it can be kept. */
export function readAwaitAnswers(parser: Parser): AwaitAnswersSyntax | undefined {
  return readBlock(parser, 'await_answers', AWAIT_ANSWERS, 'refused');
}
