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

/** `tool NAME:` as written. */
export type ToolSyntax = Block<'tool', typeof TOOL>;

/** Reads `tool NAME:` and its properties; `undefined` when nothing of it can be kept. */
export function readTool(parser: Parser): ToolSyntax | undefined {
  return readBlock(parser, 'tool', TOOL, 'checked later');
}
