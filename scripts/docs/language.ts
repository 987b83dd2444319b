import { BUNDLES } from '@hearth/language/codes/bundles.ts';
import { CODES } from '@hearth/language/codes.ts';
import { compileBundle } from '@hearth/language/compile/compile.ts';
import { FUNCTIONS } from '@hearth/language/expr/functions.ts';
import type { AgentSyntax } from '@hearth/language/parse/agent.ts';
import type { ComputeSyntax } from '@hearth/language/parse/compute.ts';
import type { HumanSyntax } from '@hearth/language/parse/human.ts';
import type { WorkflowSyntax } from '@hearth/language/parse/workflow.ts';
import { code, table } from './markdown.ts';

/*
 * The language's tables. Which properties there are follows from the parser's own types, and whether one can be run is
 * asked of the compiler, so neither can be wrong here.
 */

/** A property: an example of its value, and what it is for. */
interface PropertyRow {
  readonly example: string;
  readonly means: string;
}

type Rows<K extends string> = Readonly<Record<K, PropertyRow>>;

const input = { example: 's', means: 'The schema of the node’s input.' };
const output = { example: 's', means: 'The schema of the node’s output.' };
const awaits = {
  example: 'wait_all',
  means: 'How branches that meet here are awaited. No effect yet: a run has no branches.',
};
const sandbox = { example: 'none', means: '`none`. Any other sandbox is refused.' };
const toolPolicy = { example: '[read_file]', means: 'Rules for tools.' };
const mcp = { example: '\n    servers: [x]', means: 'Tool servers of the node.' };
const compaction = { example: '\n    threshold: 0.8', means: 'When a session is shortened.' };
const publish = { example: 'report', means: 'A name for the output. No effect yet.' };
const interactionPrompt = { example: 'p', means: 'The prompt of a model that answers for a person.' };
const interactionModel = { example: '"m"', means: 'The model that answers for a person.' };

const AGENT: Rows<keyof AgentSyntax['properties']> = {
  model: { example: '"m"', means: 'The model; `"${HEARTH_MODEL:-auto}"` leaves it to the person.' },
  backend: { example: '"rehearsal"', means: 'The backend, by name; left out, it is chosen.' },
  provider: { example: '"x"', means: 'The provider of the model.' },
  input,
  output,
  system: { example: 'p', means: 'The prompt with the agent’s instructions.' },
  user: { example: 'p', means: 'The prompt with the turn’s words.' },
  publish,
  session: {
    example: 'inherit_if_available',
    means:
      '`fresh`, `inherit`, `inherit_if_available`, `fork` or `artifacts_only`: how the backend’s session begins.',
  },
  tools: {
    example: '[read_file, grep]',
    means: 'The tools that the agent can see. What is not named is not there.',
  },
  tool_policy: toolPolicy,
  capabilities: {
    example: '[board.read]',
    means: 'What the agent may do with the board; each opens the tools that need it.',
  },
  tool_max_steps: {
    example: '40',
    means: 'How many steps a turn may take, as the backend is told; 80 unless set.',
  },
  max_tokens: { example: '1000', means: 'How many tokens the model may answer with. No effect yet.' },
  reasoning_effort: { example: 'high', means: '`low`, `medium`, `high`, `xhigh` or `max`.' },
  readonly: {
    example: 'true',
    means: 'The agent changes nothing in the workspace. No effect yet: no tool of this version does.',
  },
  mcp,
  compaction,
  memory: { example: '\n    enabled: true\n    scope: "x"', means: 'Memory that outlives the run.' },
  sandbox,
  cursors: { example: '\n    zeal: low', means: 'Dials of the agent’s manner.' },
  interaction: {
    example: 'human',
    means: '`human` lets the agent ask the person in the middle of a turn.',
  },
  interaction_prompt: interactionPrompt,
  interaction_model: interactionModel,
  await: awaits,
  inbox: { example: 'off', means: '`off`: no message may join a running turn. `on` unless set.' },
};

const COMPUTE: Rows<keyof ComputeSyntax['properties']> = {
  input,
  output,
  await: awaits,
  expr: { example: '\n    ok: "true"\n    n: "1"', means: 'One expression for each field of the output.' },
};

const HUMAN: Rows<keyof HumanSyntax['properties']> = {
  input,
  output,
  publish,
  instructions: { example: 'p', means: 'The prompt whose text the person reads.' },
  interaction: { example: 'human', means: 'Who answers; a person.' },
  interaction_prompt: interactionPrompt,
  interaction_model: interactionModel,
  model: { example: '"m"', means: 'The model that answers for a person.' },
  system: { example: 'p', means: 'The instructions of a model that answers for a person.' },
  await: awaits,
  min_answers: { example: '1', means: 'How many people must answer.' },
  pause: {
    example: 'input',
    means:
      '`chat`: a message goes on. `input`: the fields are asked for. `chat` where the output is one string.',
  },
};

const WORKFLOW: Rows<keyof WorkflowSyntax['properties']> = {
  vars: { example: '\n    x: int = 1', means: 'Vars, as at the top of the file.' },
  attachments: { example: '\n    f: file', means: 'Files that a person hands over.' },
  mcp,
  entry: { example: 'a', means: 'The node at which a run begins.' },
  budget: {
    example: '\n    max_duration: "45m"\n    lifetime:\n      max_cost_usd: 200',
    means:
      '`max_duration`, `max_cost_usd`, `max_tokens`, `max_iterations` for a burst; the same under `lifetime:` for the epoch.',
  },
  compaction,
  worktree: {
    example: 'none',
    means: '`none` or `auto`. No effect yet: an agent works in the workspace itself.',
  },
  sandbox,
  default_backend: { example: '"rehearsal"', means: 'The backend of every node that names none.' },
  tool_policy: toolPolicy,
  capabilities: { example: '[board.read]', means: 'The capabilities of every agent that lists none.' },
  interaction: { example: 'human', means: 'The interaction of every node that has none.' },
};

const KINDS = { agent: AGENT, compute: COMPUTE, human: HUMAN, workflow: WORKFLOW } as const;
type Kind = keyof typeof KINDS;

/** The properties of a kind of declaration that can be run. */
export function properties(kind: Kind): string {
  const rows = Object.entries(KINDS[kind]).filter(([name]) => refusal(kind, name) === null);
  return table(
    ['Property', 'Means'],
    rows.map(([name, { means }]) => [code(name), means]),
  );
}

/** What the compiler says against running a property; `null` when it can be run. Throws when the example is wrong. */
export function refusal(kind: Kind, property: string): string | null {
  const row = Object.entries(KINDS[kind]).find(([name]) => name === property)?.[1];
  const { diagnostics } = compileBundle({ main: sourceWith(kind, property, row?.example ?? '') });
  const [wrong] = diagnostics.filter(one => one.severity === 'error' && one.code !== 'H003');
  if (wrong !== undefined) throw new Error(`${kind}.${property}: ${wrong.code} ${wrong.message}`);
  return diagnostics.find(one => one.code === 'H003')?.message ?? null;
}

/** Every property by kind, for whoever wants to try them all. */
export function everyProperty(): readonly (readonly [Kind, string])[] {
  return (Object.keys(KINDS) as Kind[]).flatMap(kind =>
    Object.keys(KINDS[kind]).map(name => [kind, name] as const),
  );
}

/** Declarations that are read and then refused; each with an example. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  judge: 'judge j:\n  model: "m"\n  output: s\n',
  router: 'router j:\n  mode: condition\n',
  tool: 'tool j:\n  command: "true"\n',
  cursor: 'cursor zeal:\n  values:\n    low: "be calm"\n',
  mcp_server: 'mcp_server x:\n  transport: stdio\n  command: "c"\n',
  attachments: 'attachments:\n  f: file\n',
  presets: 'presets:\n  quick:\n    x: 2\n',
  ...Object.fromEntries(
    'artifact review secrets supervisor import contract group use emit wait'
      .split(' ')
      .map(word => [word, `${word} x:\n  y: 1\n`]),
  ),
};

/** What is read and then refused with H003: declarations first, then properties of those that can be run. */
export function notRunYet(): string {
  const refused = Object.entries(DECLARATIONS).map(([word, example]) => {
    const { diagnostics } = compileBundle({ main: `${example}\n${sourceWith('agent', '', '')}` });
    if (!diagnostics.some(one => one.code === 'H003')) throw new Error(`${word} can be run now.`);
    return [code(word), 'the file'];
  });
  const found = new Map<string, string[]>();
  for (const [kind, name] of everyProperty()) {
    if (refusal(kind, name) !== null) found.set(name, [...(found.get(name) ?? []), kind]);
  }
  return table(
    ['Word', 'In'],
    [...refused, ...[...found].map(([name, kinds]) => [code(name), kinds.join(', ')])],
  );
}

/** What an example needs beside it. */
const NEEDS: Readonly<Record<string, string>> = {
  cursors: DECLARATIONS['cursor'] ?? '',
  mcp: DECLARATIONS['mcp_server'] ?? '',
};

/** A small source of one node in which a property stands; an empty name leaves it out. */
function sourceWith(kind: Kind, property: string, example: string): string {
  const line = property === '' ? '' : `  ${property}: ${example}\n`;
  const own = kind === 'workflow' ? '' : line;
  const node = kind === 'workflow' ? 'agent' : kind;
  const rest = REST[node]
    .filter(([name]) => name !== property || kind === 'workflow')
    .map(([, text]) => text);
  return [
    'vars:\n  x: int = 1\n',
    'schema s:\n  ok: bool\n  n: int\n',
    'prompt p:\n  Hello.\n',
    NEEDS[property] ?? '',
    `${node} a:\n${rest.join('')}${own}`,
    `workflow w:\n${property === 'entry' ? '' : '  entry: a\n'}${kind === 'workflow' ? line : ''}  a -> done\n`,
  ].join('\n');
}

/** What a node needs in order to be whole. */
const REST: Readonly<Record<'agent' | 'compute' | 'human', readonly (readonly [string, string])[]>> = {
  agent: [
    ['model', '  model: "m"\n'],
    ['output', '  output: s\n'],
  ],
  compute: [
    ['output', '  output: s\n'],
    ['expr', '  expr:\n    ok: "true"\n    n: "1"\n'],
  ],
  human: [['output', '  output: s\n']],
};

/** What each function gives. */
const GIVES: Readonly<Record<string, string>> = {
  length: 'The elements of a list, the keys of a map, the UTF-8 bytes of a string; 0 for null.',
  concat: 'One list of all the lists.',
  unique: 'The list without repeated elements.',
  contains: 'Whether the list has the value.',
  join: 'The elements as text, with a separator between them.',
  if: 'The second argument when the first is true, else the third; only that one is worked out.',
};

export function functions(): string {
  return table(
    ['Function', 'Gives'],
    Object.entries(FUNCTIONS).map(([name, { least, most }]) => [
      code(`${name}(${most === Number.POSITIVE_INFINITY ? '…' : 'abc'.slice(0, most).split('').join(', ')})`),
      `${GIVES[name] ?? ''}${least === most || most === Number.POSITIVE_INFINITY ? '' : ` At least ${least}.`}`,
    ]),
  );
}

export function diagnostics(): string {
  return table(
    ['Code', 'Severity', 'Means'],
    CODES.map(one => [code(one.code), one.severity, one.meaning]),
  );
}

export function bundleDiagnostics(): string {
  return table(
    ['Code', 'Severity', 'Means'],
    BUNDLES.map(one => [code(one.code), one.severity, one.meaning]),
  );
}
