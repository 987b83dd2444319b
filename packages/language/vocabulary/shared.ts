import { block, bool, choice, int, name, names, num, type PropertyWord, text, texts, word } from './word.ts';

/** Properties that several kinds of node and the workflow have. */

export const model = text('model', 'The model. `"${HEARTH_MODEL:-auto}"` leaves the choice to the person.');
export const backend = text('backend', 'The backend that runs it, by name. Left out, one is chosen.', {
  refers: 'backend',
});
export const provider = text('provider', 'The provider of the model.');
export const input = name('input', 'schema', 'The schema of the node’s input.');
export const output = name('output', 'schema', 'The schema of the node’s output.');
export const publish = word(
  'publish',
  'ARTIFACT',
  'A name for the output. When it is a declared artifact, the output becomes its next version.',
  {
    refers: 'artifact',
  },
);
export const requires = names(
  'requires',
  'artifact',
  'Artifacts whose current version must be confirmed before the node may start.',
);
export const awaiting = choice(
  'await',
  ['wait_all', 'best_effort'],
  'How branches that meet here are awaited: all must succeed, or those that fail are named in `_failed_branches`.',
);
export const interaction = choice(
  'interaction',
  ['none', 'human', 'llm', 'llm_or_human', 'async'],
  'Who answers what the node asks: nobody, a person, a model, or a model that may hand on to a person. With `async` (profile 2, agents) a person, for whom the agent need not wait.',
);
export const interactionPrompt = name(
  'interaction_prompt',
  'prompt',
  'The prompt of the model that answers for a person.',
);
export const interactionModel = text('interaction_model', 'The model that answers for a person.');
export const effort = choice(
  'reasoning_effort',
  ['low', 'medium', 'high', 'xhigh', 'max'],
  'How hard the model thinks. A quoted text may hold a `${VAR}`.',
);
export const capabilities = names(
  'capabilities',
  'capability',
  'What may be done with the board; each capability opens the tools that need it.',
);
export const toolPolicy = names(
  'tool_policy',
  'tool',
  'Patterns of tools that may be used without a question.',
);

export const mcp = block('mcp', 'The tool servers that may be used.', [
  bool('autoload_project', 'Whether the servers that the project declares are used too.'),
  bool('inherit', 'Whether the workflow’s servers are used too.'),
  names('servers', 'mcp_server', 'The servers that are used.'),
  names('disable', 'mcp_server', 'The servers that are not.'),
]);

export const compaction = block('compaction', 'When and how a long session is shortened.', [
  num('threshold', 'How full the context may become, above 0 and at most 1.'),
  int('preserve_recent', 'How many of the latest messages stay as they are.'),
]);

export const sandbox = block(
  'sandbox',
  'Where commands run: `none`, `auto` or `inline` in one word, or a block that says more.',
  [
    choice('mode', ['none', 'auto', 'inline'], 'The kind of sandbox; `inline` when the block names none.'),
    text('image', 'The container image.'),
    text('user', 'The user inside.'),
    text('workspace_folder', 'Where the workspace is inside.'),
    text('post_create', 'A command that runs once the sandbox is there.'),
    choice('host_state', ['auto', 'none'], 'Whether credentials of the host are handed in.'),
    word('env', '{ NAME: "text" }', 'Variables of the environment.'),
    texts('mounts', 'Directories of the host.'),
    block('network', 'What may be reached.', [
      word('mode', 'NAME', 'How the network is restricted.'),
      word('preset', 'NAME', 'A known set of rules.'),
      word('inherit', 'NAME', 'The set of rules to begin with.'),
      texts('rules', 'The rules themselves.'),
    ]),
    block('build', 'How the image is built.', [
      text('dockerfile', 'The path of the Dockerfile.'),
      text('context', 'The directory that is built.'),
      word('args', '{ NAME: "text" }', 'Arguments of the build.'),
    ]),
  ],
);

const rules = (own: string, means: string): PropertyWord =>
  word(own, '["Tool(pattern)", …]', means, { profile: 2 });

export const permissions: readonly PropertyWord[] = [
  word('permission', 'off | ask | deny', 'What becomes of a tool call that no rule settles.', {
    values: ['off', 'ask', 'deny'],
    profile: 2,
  }),
  rules('allow', 'Rules for calls that need no question.'),
  rules('ask', 'Rules for calls that wait for a person.'),
  rules('deny', 'Rules for calls that are refused; they count first.'),
];

export const actions = word(
  'actions',
  'block',
  'What a person may do, one `NAME: "Label" [modifier, …]` on each line. The order decides when typed words fit several.',
);
