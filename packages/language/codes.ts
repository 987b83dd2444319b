import type { Diagnostic } from './diagnostic.ts';

/** One code: what it means and a source that gets it. The reference tables and their tests are made from this. */
export interface Code {
  readonly code: string;
  /** The severity it usually has. C018 is a warning for a router, which falls back to its first edge. */
  readonly severity: Diagnostic['severity'];
  readonly meaning: string;
  readonly example: string;
}

const SCHEMA = 'schema s:\n  ok: bool\n  n: int\n\n';
const agent = (name: string, properties = 'output: s'): string =>
  `agent ${name}:\n  model: "m"\n  ${properties}\n\n`;
const workflow = (entry: string, ...lines: readonly string[]): string =>
  `workflow w:\n  entry: ${entry}\n  ${lines.join('\n  ')}\n`;
/** One agent with a schema, and the edges that leave it. */
const base = (...edges: readonly string[]): string => SCHEMA + agent('a') + workflow('a', ...edges);
/** One agent with a property of its own. */
const withProperty = (property: string): string => agent('a', property) + workflow('a', 'a -> done');
/** One agent that uses a prompt. */
const withPrompt = (text: string, before = ''): string =>
  `${before}prompt p:\n  ${text}\n\n${withProperty('user: p')}`;
/** A declaration in front of one agent. */
const beside = (declaration: string): string =>
  `${declaration}\n\n${SCHEMA}${agent('a')}${workflow('a', 'a -> done')}`;

const error = (code: string, meaning: string, example: string): Code => ({
  code,
  severity: 'error',
  meaning,
  example,
});
const warning = (code: string, meaning: string, example: string): Code => ({
  code,
  severity: 'warning',
  meaning,
  example,
});

/** Every code that the language gives, in order. */
export const CODES: readonly Code[] = [
  error('E001', 'what stands here begins no declaration', `x y z\n${base('a -> done')}`),
  error('E002', 'something else is expected here', withProperty('backend: codex')),
  error('E011', 'a reserved name', `${agent('done')}${base('a -> done')}`),
  error('E012', 'an unknown property', withProperty('colour: "red"')),
  error(
    'E014',
    'a block that a file has only once',
    `vars:\n  x: int\n\nvars:\n  y: int\n\n${base('a -> done')}`,
  ),
  error('E020', 'none of the words that a property takes', withProperty('session: sticky')),
  error('E021', 'an unknown type', beside('schema t:\n  ok: boolean')),
  error('E030', 'a clause that the edge already has', base('a -> done when ok when not ok', 'a -> fail')),
  error('C001', 'an edge names an unknown node', base('a -> ghost')),
  error('C002', 'an unknown schema', withProperty('output: nope')),
  error('C003', 'an unknown prompt', withProperty('system: nope')),
  error('C004', 'a malformed reference, or a tool without exactly one body', withPrompt('Hello {{vars}}')),
  error(
    'C005',
    'edges of one loop with different caps',
    base('a -> a when ok as l(2)', 'a -> a when not ok as l(3)', 'a -> done'),
  ),
  error('C006', 'no workflow', agent('a', 'readonly: true')),
  error('C007', 'more than one workflow', `${base('a -> done')}\nworkflow v:\n  entry: a\n`),
  error('C008', 'a missing or unknown entry', `${agent('a', 'readonly: true')}workflow w:\n  a -> done\n`),
  error(
    'C009',
    'an inherited session where branches meet',
    withProperty('session: inherit\n  await: wait_all'),
  ),
  error('C010', 'more than one edge without a condition', base('a -> done', 'a -> fail')),
  error(
    'C011',
    'two edges with the same condition',
    base('a -> done when ok', 'a -> fail when ok', 'a -> done'),
  ),
  error('C012', 'only conditions, and nowhere to go when none holds', base('a -> done when ok')),
  error('C013', 'a condition that is not a bool', base('a -> done when n', 'a -> fail')),
  error('C014', 'a condition on an unknown field', base('a -> done when nope', 'a -> fail')),
  error(
    'C016',
    'a node that is never reached',
    SCHEMA + agent('a') + agent('b') + workflow('a', 'a -> done'),
  ),
  error(
    'C017',
    'the history of a node that never loops',
    base('a -> done with { h: "{{outputs.a.history}}" }'),
  ),
  error('C018', 'no model and no backend', `agent a:\n  readonly: true\n\n${workflow('a', 'a -> done')}`),
  error(
    'C019',
    'a cycle that nothing bounds',
    SCHEMA + agent('a') + agent('b') + workflow('a', 'a -> b', 'b -> a when ok', 'b -> done when not ok'),
  ),
  error(
    'C020',
    'a round_robin router with fewer than two edges',
    `router r:\n  mode: round_robin\n\n${SCHEMA}${agent('a')}${workflow('r', 'r -> a', 'a -> done')}`,
  ),
  error(
    'C021',
    'an llm router with fewer than two edges',
    `router r:\n  mode: llm\n  model: "m"\n\n${SCHEMA}${agent('a')}${workflow('r', 'r -> a', 'a -> done')}`,
  ),
  error(
    'C022',
    'a field as condition on an edge of an llm router',
    `router r:\n  mode: llm\n  model: "m"\n\n${workflow('r', 'r -> done when ok', 'r -> fail')}`,
  ),
  error(
    'C023',
    'a property that only llm routers have',
    `router r:\n  mode: fan_out_all\n  model: "m"\n\n${workflow('r', 'r -> done')}`,
  ),
  error(
    'C024',
    'a tool server declared twice',
    beside(
      'mcp_server x:\n  transport: stdio\n  command: "c"\n\nmcp_server x:\n  transport: stdio\n  command: "d"',
    ),
  ),
  error(
    'C025',
    'a tool server that does not fit its transport',
    beside('mcp_server x:\n  transport: http\n  command: "c"'),
  ),
  error('C026', 'a loop that could never be taken', base('a -> a as l(0)', 'a -> done')),
  error('C027', 'an unknown reasoning effort', withProperty('reasoning_effort: "ultra"')),
  error('C029', 'the output of an unknown node', base('a -> done with { x: "{{outputs.ghost.ok}}" }')),
  warning('C030', 'a discouraged backend', withProperty('backend: "codex"')),
  error('C031', 'an unknown field of an output', base('a -> done with { x: "{{outputs.a.nope}}" }')),
  warning(
    'C032',
    'a field of an output without a schema',
    agent('a', 'readonly: true') + workflow('a', 'a -> done with { x: "{{outputs.a.ok}}" }'),
  ),
  error('C033', 'an unknown var', withPrompt('{{vars.nope}}')),
  error(
    'C034',
    'an unknown field of the input',
    `prompt p:\n  {{input.nope}}\n\n${SCHEMA}${withProperty('input: s\n  user: p')}`,
  ),
  error('C035', 'an artifact that nothing publishes', base('a -> done with { x: "{{artifacts.nope}}" }')),
  error(
    'C036',
    'the output of a node that never runs before',
    `prompt p:\n  {{outputs.b.ok}}\n\n${SCHEMA}${agent('a', 'user: p')}${agent('b')}${workflow('a', 'a -> b', 'b -> done')}`,
  ),
  warning(
    'C037',
    'a node with more tokens than the workflow',
    agent('a', 'max_tokens: 9000') + workflow('a', 'budget:', '  max_tokens: 100', 'a -> done'),
  ),
  error(
    'C038',
    'an authentication that is no complete oauth2',
    beside('mcp_server x:\n  transport: http\n  url: "http://h/x"\n  auth:\n    type: "basic"'),
  ),
  error(
    'C039',
    'a compute node without expressions',
    `${SCHEMA}compute a:\n  output: s\n\n${workflow('a', 'a -> done')}`,
  ),
  error(
    'C040',
    'an expression that cannot be read',
    `${SCHEMA}compute a:\n  output: s\n  expr:\n    ok: "1 +"\n    n: "1"\n\n${workflow('a', 'a -> done')}`,
  ),
  error('C041', 'a name declared twice', `${agent('a', 'readonly: true')}${base('a -> done')}`),
  error('C042', 'a node with a reserved name', beside('tool done:\n  command: "ls -l"')),
  error('C043', 'a compaction out of bounds', withProperty('compaction:\n    threshold: 1.5')),
  error(
    'C044',
    'a sandbox that is not consistent',
    agent('a', 'readonly: true') + workflow('a', 'sandbox: maybe', 'a -> done'),
  ),
  warning(
    'C047',
    'memory on a backend that does not read it',
    withProperty('backend: "claude_code"\n  memory:\n    enabled: true\n    scope: "x"'),
  ),
  error('C048', 'memory without a scope', withProperty('memory:\n    enabled: true')),
  error('C050', 'an attachment declared twice', beside('attachments:\n  f: file\n  f: image')),
  error(
    'C051',
    'one name for an attachment and a var',
    beside('vars:\n  f: string\n\nattachments:\n  f: file'),
  ),
  error('C052', 'a type of file that is none', beside('attachments:\n  f: file\n    accept_mime: ["pdf"]')),
  error('C053', 'an unknown attachment', withPrompt('{{attachments.nope}}')),
  error(
    'C054',
    'an unknown part of an attachment',
    withPrompt('{{attachments.f.colour}}', 'attachments:\n  f: file\n\n'),
  ),
  error(
    'C060',
    'a browser in a sandbox without one',
    `mcp_server pw:\n  transport: stdio\n  command: "npx"\n  args: ["@playwright/mcp"]\n\n${agent('a', 'readonly: true')}${workflow('a', 'sandbox: auto', 'a -> done')}`,
  ),
  error('C070', 'a preset for an unknown var', beside('vars:\n  x: int\n\npresets:\n  q:\n    y: 1')),
  error('C071', 'a preset of another type', beside('vars:\n  x: int\n\npresets:\n  q:\n    x: "one"')),
  error(
    'C072',
    'a preset declared twice',
    beside('vars:\n  x: int\n\npresets:\n  q:\n    x: 1\n  q:\n    x: 2'),
  ),
  warning('C080', 'an unknown capability', withProperty('capabilities: [board.fly]')),
  error('C081', 'a capability that is not written like one', withProperty('capabilities: [Board.Read]')),
  warning(
    'C082',
    'the board from inside a sandbox',
    agent('a', 'capabilities: [board.read]') + workflow('a', 'sandbox: auto', 'a -> done'),
  ),
  warning('C083', 'an unknown cursor', withProperty('cursors:\n    zeal: high')),
  error(
    'C084',
    'an unknown value of a cursor',
    `cursor zeal:\n  values:\n    low: "be calm"\n\n${withProperty('cursors:\n    zeal: high')}`,
  ),
  error('C085', 'a cursor that is not well declared', beside('cursor zeal:\n  description: "x"')),
  error(
    'C086',
    'a cursor declared twice',
    beside('cursor zeal:\n  values:\n    low: "x"\n\ncursor zeal:\n  values:\n    low: "x"'),
  ),
  warning(
    'C142',
    'an unknown word for the worktree',
    agent('a', 'readonly: true') + workflow('a', 'worktree: always', 'a -> done'),
  ),
  warning(
    'H001',
    'an edge back to an agent drops the memory of the conversation',
    `schema m:\n  message: string\n\nhuman chat:\n  output: m\n\n${agent('a', 'session: inherit_if_available')}${workflow('a', 'a -> chat', 'chat -> a as talk(1000) with { text: "{{outputs.chat.message}}" }')}`,
  ),
  error('H003', 'a feature that is not supported yet', withProperty('requires: [plan]')),
  error(
    'H004',
    'a chat pause without one place for the message',
    `${SCHEMA}human chat:\n  output: s\n  pause: chat\n\n${workflow('chat', 'chat -> done')}`,
  ),
  error(
    'H005',
    'a duration that cannot be read',
    agent('a', 'readonly: true') + workflow('a', 'budget:', '  max_duration: "soon"', 'a -> done'),
  ),
  warning('H006', 'a property that has no effect yet', withProperty('publish: report')),
];
