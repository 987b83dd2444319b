import { actions } from './actions.ts';
import { type Block, readBlock } from './header.ts';
import { id } from './kinds.ts';
import type { Parser } from './parser.ts';

const REVIEW = { artifact: id, reader: id, actions } as const;

/** The card of an artifact: what a person may do with the version shown, and who reads what they type. */
export type ReviewSyntax = Block<'review', typeof REVIEW>;

/** Reads `review NAME:` and its actions; `undefined` when nothing of it can be kept. */
export function readReview(parser: Parser): ReviewSyntax | undefined {
  return readBlock(parser, 'review', REVIEW, 'refused');
}
