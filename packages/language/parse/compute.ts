import { awaiting } from './agent.ts';
import { type Block, readBlock } from './header.ts';
import { id, strings } from './kinds.ts';
import type { Parser } from './parser.ts';

const COMPUTE = { input: id, output: id, await: awaiting, expr: strings } as const;

export type ComputeSyntax = Block<'compute', typeof COMPUTE>;

export function readCompute(parser: Parser): ComputeSyntax | undefined {
  return readBlock(parser, 'compute', COMPUTE, 'refused');
}
