import { compileBundle } from '@hearth/language/compile/compile.ts';
import { VOCABULARY } from '@hearth/language/vocabulary/vocabulary.ts';
import type { PropertyWord } from '@hearth/language/vocabulary/word.ts';
import { code, table } from './markdown.ts';

/*
 * What of the language can be run. The compiler is asked, with a small source for each word, so that no page promises
 * what does not run.
 */

/** The kinds of declaration whose properties are tried one by one. */
const TRIED = ['agent', 'human', 'compute', 'workflow'] as const;
type Kind = (typeof TRIED)[number];

/** Values for properties that need a certain one. */
const EXAMPLES: Readonly<Record<string, string>> = {
  publish: 'report',
  tools: '[read_file]',
  tool_policy: '[read_file]',
  capabilities: '[board.read]',
  interaction: 'human',
  entry: 'a',
  worktree: 'none',
  sandbox: 'auto',
  permission: 'ask',
  pause: 'input',
  cursors: '\n    zeal: low',
  mcp: '\n    servers: [x]',
  compaction: '\n    threshold: 0.8',
  memory: '\n    enabled: true\n    scope: "x"',
  budget: '\n    max_duration: "45m"\n    lifetime:\n      max_cost_usd: 200',
  vars: '\n    y: int = 1',
  attachments: '\n    f: file',
  session_slot: 'notes\n  session: persist',
  expr: '\n    ok: "true"\n    n: "1"',
  actions: '\n    stop: "Stop" [stops]',
};

/** What stands in an example, by how the value is written. */
const WRITTEN: Readonly<Record<string, string>> = {
  '"text"': '"x"',
  SCHEMA: 's',
  PROMPT: 'p',
  '["Tool(pattern)", …]': '["Bash"]',
};

/** What the compiler says against running a property; `null` when it can be run. Throws when the example is wrong. */
export function refusal(kind: Kind, property: string): string | null {
  const word = wordsOf(kind).find(one => one.name === property);
  const { diagnostics } = compileBundle({ main: sourceWith(kind, word) });
  const wrong = diagnostics.find(one => one.severity === 'error');
  if (wrong !== undefined) throw new Error(`${kind}.${property}: ${wrong.code} ${wrong.message}`);
  return diagnostics.find(one => one.code === 'H003')?.message ?? null;
}

/** Every property by kind, for whoever wants to try them all. */
export function everyProperty(): readonly (readonly [Kind, string])[] {
  return TRIED.flatMap(kind => wordsOf(kind).map(({ name }) => [kind, name] as const));
}

function wordsOf(kind: Kind): readonly PropertyWord[] {
  return VOCABULARY.find(one => one.name === kind)?.properties ?? [];
}

/** Declarations that may not be run; each with an example. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  attachments: 'attachments:\n  f: file\n',
  secrets: 'secrets:\n  token:\n    value: "${TOKEN}"\n',
  cursor: 'cursor zeal:\n  values:\n    low: "be calm"\n',
  mcp_server: 'mcp_server x:\n  transport: stdio\n  command: "c"\n',
  judge: 'judge j:\n  model: "m"\n',
  router: 'router j:\n  mode: condition\n',
  tool: 'tool j:\n  command: "true"\n',
};

/** What cannot be run: declarations first, then properties of those that can be run. */
export function notRunYet(): string {
  const refused = Object.entries(DECLARATIONS)
    .filter(([word, example]) => {
      const edges = example.startsWith(`${word} j:`) ? 'a -> j\n  j -> done' : 'a -> done';
      const main = `dsl: 2\n\n${example}\n${sourceWith('agent', undefined, edges)}`;
      return compileBundle({ main }).diagnostics.some(one => one.code === 'H003');
    })
    .map(([word]) => [code(word), 'the file']);
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

/** A whole source, since what it requires must be published and reviewed. */
const REQUIRES = `schema s:
  ok: string

artifact plan:
  body: ok

agent draft:
  model: "m"
  output: s
  publish: plan

review check:
  artifact: plan
  actions:
    confirm: "Confirm" [confirms]
    stop: "Stop" [stops]

agent a:
  model: "m"
  requires: [plan]

workflow w:
  entry: draft
  draft -> check
  check -> a on confirm
  check -> done on stop
  a -> done
`;

/** A small source of one node in which a property stands. */
function sourceWith(kind: Kind, word: PropertyWord | undefined, edges = edgesFor(word)): string {
  if (word?.name === 'requires') return REQUIRES;
  const value =
    word === undefined ? '' : (EXAMPLES[word.name] ?? WRITTEN[word.takes] ?? word.values?.[0] ?? '1');
  const line = word === undefined ? '' : `  ${word.name}: ${value}\n`;
  const inWorkflow = kind === 'workflow';
  const node = inWorkflow ? 'agent' : kind;
  const rest = REST[node].filter(([name]) => name !== word?.name || inWorkflow).map(([, text]) => text);
  return [
    word?.profile === 2 ? 'dsl: 2\n' : '',
    'vars:\n  x: int = 1\n',
    'schema s:\n  ok: bool\n  n: int\n',
    'prompt p:\n  Hello.\n',
    NEEDS[word?.name ?? ''] ?? '',
    `${node} a:\n${rest.join('')}${inWorkflow ? '' : line}`,
    `workflow w:\n${word?.name === 'entry' ? '' : '  entry: a\n'}${inWorkflow ? line : ''}  ${edges}\n`,
  ].join('\n');
}

/** An action that moves has an edge. */
function edgesFor(word: PropertyWord | undefined): string {
  return word?.name === 'actions' ? 'a -> done\n  a -> fail on stop' : 'a -> done';
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
