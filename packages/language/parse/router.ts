import { effort } from './agent.ts';
import { type Block, readBlock } from './header.ts';
import { bool, promptName, str, words } from './kinds.ts';
import type { Parser } from './parser.ts';
import { passOverWord } from './passing-over.ts';

const modes = words(['fan_out_all', 'condition', 'round_robin', 'llm']);

/** How the edges are chosen. A branch for each element of a list is passed over in profile 2. */
const mode: typeof modes = {
  read: (parser, key) => {
    if (parser.profile === 1 || !parser.is('fan_out_each')) return modes.read(parser, key);
    passOverWord(parser, key, '`fan_out_each` routers');
    return 'fan_out_all';
  },
};

const ROUTER = {
  mode,
  model: str,
  backend: str,
  provider: str,
  system: promptName,
  user: promptName,
  multi: bool,
  reasoning_effort: effort,
} as const;

/** `router NAME:` as written. */
export type RouterSyntax = Block<'router', typeof ROUTER>;

/** Reads `router NAME:` and its properties; `undefined` when nothing of it can be kept. */
export function readRouter(parser: Parser): RouterSyntax | undefined {
  return readBlock(parser, 'router', ROUTER, 'checked later');
}
