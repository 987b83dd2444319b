import { awaiting } from './agent.ts';
import { type Block, readBlock } from './header.ts';
import { id, str } from './kinds.ts';
import type { Parser } from './parser.ts';
import { sandbox } from './sandbox.ts';

const TOOL = {
  command: str,
  script: str,
  language: id,
  input: id,
  output: id,
  await: awaiting,
  sandbox,
} as const;

export type ToolSyntax = Block<'tool', typeof TOOL>;

export function readTool(parser: Parser): ToolSyntax | undefined {
  return readBlock(parser, 'tool', TOOL, 'checked later');
}
