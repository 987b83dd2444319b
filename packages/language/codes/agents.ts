import { type Code, error, warning } from './code.ts';
import { agent, plain, withProperty, workflow } from './sources.ts';

const ZEAL = 'cursor zeal:\n  values:\n    low: "be calm"\n\n';

/** What the compiler says about the properties of agents and judges. */
export const AGENTS: readonly Code[] = [
  error('C009', {
    meaning: 'an inherited session where branches meet',
    mend: 'take `await:` away, or begin with `session: fresh`',
    wrong: withProperty('session: inherit\n  await: wait_all'),
    right: withProperty('session: fresh\n  await: wait_all'),
  }),
  error('C018', {
    meaning: 'no model and no backend',
    mend: 'add `model: "${HEARTH_MODEL:-auto}"` to leave the choice to the person',
    wrong: `agent a:\n  readonly: true\n\n${workflow('a', 'a -> done')}`,
    right: `agent a:\n  model: "\${HEARTH_MODEL:-auto}"\n  readonly: true\n\n${workflow('a', 'a -> done')}`,
  }),
  error('C027', {
    meaning: 'an unknown reasoning effort',
    mend: 'write `low`, `medium`, `high`, `xhigh` or `max`, or a `"${VAR}"`',
    wrong: withProperty('reasoning_effort: "ultra"'),
    right: withProperty('reasoning_effort: "max"'),
  }),
  warning('C030', {
    meaning: 'a discouraged backend',
    mend: 'use another backend where the list of tools must be kept to strictly',
    wrong: withProperty('backend: "codex"'),
    right: withProperty('backend: "claude_code"'),
  }),
  warning('C037', {
    meaning: 'a node with more tokens than the workflow',
    mend: 'lower `max_tokens` of the node, or raise it in the budget of the workflow',
    wrong: agent('a', 'max_tokens: 9000') + workflow('a', 'budget:', '  max_tokens: 100', 'a -> done'),
    right: agent('a', 'max_tokens: 100') + workflow('a', 'budget:', '  max_tokens: 9000', 'a -> done'),
  }),
  error('C043', {
    meaning: 'a compaction out of bounds',
    mend: 'write a threshold above 0 and at most 1',
    wrong: withProperty('compaction:\n    threshold: 1.5'),
    right: withProperty('compaction:\n    threshold: 0.8'),
  }),
  warning('C047', {
    meaning: 'memory on a backend that does not read it',
    mend: 'write `backend: "model-api"`, or take the memory out and keep what lasts on the board',
    wrong: withProperty('backend: "claude_code"\n  memory:\n    enabled: true\n    scope: "x"'),
    right: withProperty('backend: "model-api"\n  memory:\n    enabled: true\n    scope: "x"'),
  }),
  error('C048', {
    meaning: 'memory without a scope',
    mend: 'add `scope:` with the name under which the memory is kept',
    wrong: withProperty('memory:\n    enabled: true'),
    right: withProperty('memory:\n    enabled: true\n    scope: "x"'),
  }),
  warning('C080', {
    meaning: 'an unknown capability',
    mend: 'write one of `board.read`, `board.create`, `board.move`, `board.assign`, `board.label`, `board.close` and `board.comment`',
    wrong: withProperty('capabilities: [board.fly]'),
    right: withProperty('capabilities: [board.read]'),
  }),
  error('C081', {
    meaning: 'a capability that is not written like one',
    mend: 'write it in small letters, like `board.read`',
    wrong: withProperty('capabilities: [Board.Read]'),
    right: withProperty('capabilities: [board.read]'),
  }),
  warning('C082', {
    meaning: 'the board from inside a sandbox',
    mend: 'take the capability or the sandbox away',
    wrong: agent('a', 'capabilities: [board.read]') + workflow('a', 'sandbox: auto', 'a -> done'),
    right: plain('a') + workflow('a', 'sandbox: auto', 'a -> done'),
  }),
  warning('C083', {
    meaning: 'an unknown cursor',
    mend: 'declare the cursor, or write the name of one that is declared',
    wrong: withProperty('cursors:\n    zeal: low'),
    right: ZEAL + withProperty('cursors:\n    zeal: low'),
  }),
  error('C084', {
    meaning: 'an unknown value of a cursor',
    mend: 'write one of its values by name, or a number from 0 to 1',
    wrong: ZEAL + withProperty('cursors:\n    zeal: high'),
    right: ZEAL + withProperty('cursors:\n    zeal: low'),
  }),
];
