import { awaiting } from './agent.ts';
import { type Block, readBlock } from './header.ts';
import { id, strings } from './kinds.ts';
import type { Parser } from './parser.ts';

const COMPUTE = { input: id, output: id, await: awaiting, expr: strings } as const;

/** `compute NAME:` as written. */
export type ComputeSyntax = Block<'compute', typeof COMPUTE>;

/** Reads `compute NAME:` and its expressions; `undefined` when nothing of it can be kept. */
export function readCompute(parser: Parser): ComputeSyntax | undefined {
  return readBlock(parser, 'compute', COMPUTE, 'refused');
}
