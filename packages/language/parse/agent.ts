import { cursors } from './cursor.ts';
import { type Block, readBlock } from './header.ts';
import { block, bool, id, ids, int, num, promptName, refs, str, strs, words } from './kinds.ts';
import { mcp } from './mcp.ts';
import type { Parser } from './parser.ts';
import { passOverWord } from './passing-over.ts';
import { permissions } from './permissions.ts';
import { inProfile2, type Kind } from './properties.ts';
import { sandbox } from './sandbox.ts';

const INTERACTIONS = ['none', 'human', 'llm', 'llm_or_human'] as const;
const interactions = words(INTERACTIONS, true);
const laterInteractions = words([...INTERACTIONS, 'async'] as const, true);

/** Ways to be answered that are passed over; each is a person in the end. */
const PASSED: readonly string[] = ['review', 'human_or_host'];

/** Who answers; `async` came with profile 2. */
export const interaction: Kind<(typeof INTERACTIONS)[number] | 'async'> = {
  read: (parser, key) => {
    if (parser.profile === 1) return interactions.read(parser, key);
    if (!PASSED.includes(parser.token.value)) return laterInteractions.read(parser, key);
    passOverWord(parser, key, `answers by \`${parser.token.value}\``);
    return 'human';
  },
};

/** `await:` of a node where branches come together. */
export const awaiting = words(['wait_all', 'best_effort']);

/** The `compaction:` block: a threshold from 0 to 1, and how many recent steps stay. */
export const compaction = block({ threshold: num, preserve_recent: int });

const SESSIONS = ['fresh', 'inherit', 'inherit_if_available', 'fork', 'artifacts_only'] as const;
const sessions = words(SESSIONS);
const laterSessions = words([...SESSIONS, 'persist'] as const);

/** How the session begins; `persist` came with profile 2. */
const session: Kind<(typeof SESSIONS)[number] | 'persist'> = {
  read: (parser, key) => (parser.profile === 2 ? laterSessions : sessions).read(parser, key),
};

const levels = words(['low', 'medium', 'high', 'xhigh', 'max']);

/** A level, or any string: what a string says is checked later, since it may be a `${VAR}`. */
export const effort: Kind<{ readonly level: string; readonly quoted: boolean }> = {
  read: (parser, key) => {
    if (parser.token.kind === 'string') return { level: parser.take().value, quoted: true };
    if (parser.profile === 2 && parser.is('ultracode')) {
      passOverWord(parser, key, 'efforts of `ultracode`');
      return { level: 'max', quoted: false };
    }
    const level = levels.read(parser, key);
    return level === undefined ? undefined : { level, quoted: false };
  },
};

const memory = block({
  enabled: bool,
  scope: str,
  autoload: strs,
  read: bool,
  write: bool,
  pre_compact_inject: bool,
  visibility: inProfile2(id),
});

const AGENT = {
  model: str,
  backend: str,
  provider: str,
  input: id,
  output: id,
  system: promptName,
  user: promptName,
  publish: id,
  session,
  session_slot: inProfile2(id),
  tools: refs,
  tool_policy: refs,
  capabilities: refs,
  tool_max_steps: int,
  max_tokens: int,
  reasoning_effort: effort,
  readonly: bool,
  mcp,
  compaction,
  memory,
  sandbox,
  cursors,
  interaction,
  interaction_prompt: id,
  interaction_model: str,
  await: awaiting,
  ...permissions,
  inbox: words(['on', 'off']),
  requires: ids,
} as const;

/** A judge has an agent's grammar; its role is a verdict. */
export type AgentSyntax = Block<'agent' | 'judge', typeof AGENT>;

/** Reads `agent NAME:` and its properties; `undefined` when nothing of it can be kept. */
export function readAgent(parser: Parser): AgentSyntax | undefined {
  return readBlock(parser, 'agent', AGENT, 'refused');
}

/** Reads `judge NAME:`, which takes the properties of an agent. */
export function readJudge(parser: Parser): AgentSyntax | undefined {
  return readBlock(parser, 'judge', AGENT, 'refused');
}
