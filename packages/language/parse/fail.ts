import { type Block, readBlock } from './header.ts';
import { bool, str } from './kinds.ts';
import type { Parser } from './parser.ts';

const FAIL = { code: str, message: str, resumable: bool } as const;

/** Profile 2: a way for a run to fail that has a name, a code and a message. */
export type FailSyntax = Block<'fail', typeof FAIL>;

/** Reads `fail NAME:`, an end of the run with a code; `undefined` when nothing of it can be kept. */
export function readFail(parser: Parser): FailSyntax | undefined {
  return readBlock(parser, 'fail', FAIL, 'refused');
}
