import { effort } from './agent.ts';
import { type Block, readBlock } from './header.ts';
import { bool, promptName, str, words } from './kinds.ts';
import type { Parser } from './parser.ts';

const ROUTER = {
  mode: words(['fan_out_all', 'condition', 'round_robin', 'llm']),
  model: str,
  backend: str,
  provider: str,
  system: promptName,
  user: promptName,
  multi: bool,
  reasoning_effort: effort,
} as const;

export type RouterSyntax = Block<'router', typeof ROUTER>;

export function readRouter(parser: Parser): RouterSyntax | undefined {
  return readBlock(parser, 'router', ROUTER, 'checked later');
}
