import * as shared from './shared.ts';
import {
  block,
  bool,
  choice,
  type DeclarationWord,
  int,
  name,
  names,
  num,
  type PropertyWord,
  text,
  texts,
  word,
} from './word.ts';

const limits: readonly PropertyWord[] = [
  text(
    'max_duration',
    'How long work may take in all: `"45m"`, `"1h30m"`. Waiting for a person does not count.',
  ),
  num('max_cost_usd', 'What it may cost.'),
  int('max_tokens', 'How many tokens it may use.'),
  int('max_iterations', 'How many nodes may run.'),
];

const vars = word('vars', 'block', 'Vars, as at the top of the file: `NAME: TYPE = default`.');
const attachments = word('attachments', 'block', 'Attachments, as at the top of the file.');

/** The declarations that are no nodes, in the order in which a file usually has them. */
export const DECLARATIONS: readonly DeclarationWord[] = [
  {
    name: 'vars',
    header: 'vars:',
    means:
      'Values with which a run begins: `NAME: TYPE = default` on each line. In profile 2 `[enum: "a", "b"]` or `[matching: "re"]` behind the type bounds a string.',
    node: false,
    properties: [],
  },
  {
    name: 'presets',
    header: 'presets:',
    means: 'Named sets of values for vars: `NAME:` and below it `VAR: value` on each line.',
    node: false,
    properties: [],
  },
  {
    name: 'attachments',
    header: 'attachments:',
    means: 'Files that a run is given: `NAME: file` or `NAME: image`, each with a block if it needs one.',
    node: false,
    properties: [
      text('description', 'What the file is for.'),
      texts('accept_mime', 'The types of file that are taken: `"image/*"`.'),
      bool('required', 'Whether a run cannot begin without it.'),
    ],
  },
  {
    name: 'secrets',
    header: 'secrets:',
    means: 'Secrets that a run is given: `NAME:` and below it what each is.',
    node: false,
    profile: 2,
    properties: [
      text('value', 'Where the value comes from: `"${TOKEN}"`.'),
      choice('as', ['value', 'file'], 'How it is handed over.'),
      text('mount_path', 'Where the file is.'),
      text('env', 'The variable of the environment that holds it.'),
      bool('optional', 'Whether a run may begin without it.'),
      texts('hosts', 'The hosts it may be sent to.'),
      text('description', 'What it is for.'),
    ],
  },
  {
    name: 'schema',
    header: 'schema NAME:',
    means:
      'The shape of an input or output: `FIELD: TYPE` on each line. `[enum: "a", "b"]` behind a type bounds a string.',
    node: false,
    properties: [],
  },
  {
    name: 'prompt',
    header: 'prompt NAME:',
    means:
      'A text with references, indented below its name. A bundle may have it in `prompts/NAME.md` instead.',
    node: false,
    properties: [],
  },
  {
    name: 'cursor',
    header: 'cursor NAME:',
    means: 'A dial for the manner of agents.',
    node: false,
    properties: [
      text('description', 'What it sets.'),
      word('values', 'block', 'What each value tells the agent: `VALUE: "text"`.'),
      word('bands', 'block', 'What each range of numbers tells the agent: `"0..0.5": "text"`.'),
    ],
  },
  {
    name: 'mcp_server',
    header: 'mcp_server NAME:',
    means: 'A server of tools.',
    node: false,
    properties: [
      choice('transport', ['stdio', 'http', 'sse'], 'How it is talked to.'),
      text('command', 'The command that starts it.'),
      texts('args', 'The arguments of the command.'),
      text('url', 'Where it is.'),
      block('auth', 'How to sign in.', [
        text('type', '`"oauth2"`.'),
        text('auth_url', 'Where a person signs in.'),
        text('token_url', 'Where tokens come from.'),
        text('revoke_url', 'Where tokens are given back.'),
        text('client_id', 'Who asks.'),
        texts('scopes', 'What is asked for.'),
      ]),
    ],
  },
  {
    name: 'artifact',
    header: 'artifact NAME:',
    means: 'A document that nodes publish in versions and that a person may confirm.',
    node: false,
    properties: [
      text('title', 'What people call it.'),
      word('body', 'FIELD', 'The field of the publishing node’s output that is the text.'),
      word('lint', 'NAME', 'A check of the text; what it finds is shown beside it.'),
      names(
        'from',
        'artifact',
        'The artifacts it was made from. When one of them changes, it is no longer valid.',
      ),
    ],
  },
  {
    name: 'workflow',
    header: 'workflow NAME:',
    means: 'The graph: where a run begins, its limits, and the edges. One in a file.',
    node: false,
    properties: [
      vars,
      attachments,
      shared.mcp,
      name('entry', 'node', 'The node at which a run begins.'),
      block('budget', 'The limits of what one message sets off.', [
        ...limits,
        int('max_parallel_branches', 'How many branches may run at once.'),
        block('lifetime', 'The limits of the whole conversation, until it is reset.', limits),
        word('warn_tokens', '1', 'From this many tokens on a person is told, once; nothing is stopped.', {
          profile: 2,
        }),
        word(
          'on_exceeded',
          'pause | fail',
          'What happens at a limit: a person is asked whether to allow more, or the work has failed and can be tried again.',
          { values: ['pause', 'fail'], profile: 2 },
        ),
      ]),
      word(
        'loop_budget_guard',
        'on | off',
        'Whether a loop is left when the limits do not cover another round like its last one.',
        { values: ['on', 'off'], profile: 2 },
      ),
      shared.compaction,
      choice('worktree', ['none', 'auto'], 'Whether agents work in a worktree of their own.'),
      shared.sandbox,
      text('default_backend', 'The backend of every node that names none.', { refers: 'backend' }),
      shared.toolPolicy,
      shared.capabilities,
      shared.interaction,
      ...shared.permissions,
    ],
  },
];
