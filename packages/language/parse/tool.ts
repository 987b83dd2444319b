import { awaiting } from './agent.ts';
import { type Block, readBlock } from './header.ts';
import { bool, id, ids, str } from './kinds.ts';
import type { Parser } from './parser.ts';
import { permissions } from './permissions.ts';
import { sandbox } from './sandbox.ts';

const TOOL = {
  command: str,
  script: str,
  language: id,
  input: id,
  output: id,
  await: awaiting,
  sandbox,
  ...permissions,
  requires: ids,
  idempotent: bool,
} as const;

export type ToolSyntax = Block<'tool', typeof TOOL>;

export function readTool(parser: Parser): ToolSyntax | undefined {
  return readBlock(parser, 'tool', TOOL, 'checked later');
}
