import { type Code, error, warning } from './code.ts';
import { agent, base, plain, SCHEMA, withProperty, workflow } from './sources.ts';

/* What profile 2 says of vars, of edges, and of properties that are passed over so far. */

/** The source, in profile 2. */
function in2(source: string): string {
  return `dsl: 2\n\n${source}`;
}

function varsOf(line: string): string {
  return in2(`vars:\n  ${line}\n\n${base('a -> done')}`);
}

function tool(properties: string, before = ''): string {
  return in2(`${before}tool t:\n  command: "ls -l"\n  ${properties}\n\n${workflow('t', 't -> done')}`);
}

function command(text: string): string {
  return in2(`vars:\n  x: string = ""\n\ntool t:\n  command: "${text}"\n\n${workflow('t', 't -> done')}`);
}

function deciding(properties: string): string {
  const node = `tool t:\n  command: "ls -l"\n  output: s\n  ${properties}\n\n`;
  return in2(SCHEMA + node + workflow('t', 't -> done when ok', 't -> fail'));
}

function inSandbox(sandbox: string): string {
  return in2(`tool t:\n  command: "ls -l"\n  ${sandbox}\n\n${workflow('t', 'sandbox: auto', 't -> done')}`);
}

const remembering = (visibility: string): string =>
  in2(
    withProperty(
      `backend: "model-api"\n  memory:\n    enabled: true\n    scope: "x"\n    visibility: ${visibility}`,
    ),
  );

const fanOut = (...edges: readonly string[]): string =>
  in2(
    `router r:\n  mode: fan_out_all\n\n${plain('a')}${plain('b')}${workflow('r', ...edges, 'a -> done', 'b -> done')}`,
  );

const answers = (field: string): string =>
  in2(
    `schema m:\n  text: string\n  ${field}: json\n\nhuman h:\n  output: m\n\n${workflow('h', 'h -> done')}`,
  );

/** What the parser says of imports, and of what is gone. */
export const LATER_FILES: readonly Code[] = [
  error('E043', {
    meaning: 'a word that the language had once',
    mend: 'take the line out: a run works where its person is',
    wrong: in2(`project_root: "."\n\n${base('a -> done')}`),
    right: in2(base('a -> done')),
  }),
  error('E044', {
    meaning: 'an import behind a declaration',
    mend: 'move it up, right behind `dsl:`',
    wrong: in2(`${SCHEMA}import "lib/x.bot"\n\n${agent('a')}${workflow('a', 'a -> done')}`),
    right: in2(`import "lib/x.bot"\n\n${base('a -> done')}`),
  }),
  error('E045', {
    meaning: 'an import of something that is no source below `lib/`',
    mend: 'write a path like `lib/common.bot`',
    wrong: in2(`import "../x.bot"\n\n${base('a -> done')}`),
    right: in2(`import "lib/x.bot"\n\n${base('a -> done')}`),
  }),
];

/** What the compiler says. */
export const LATER_NODES: readonly Code[] = [
  warning('C049', {
    meaning: 'labels for an artifact that the node does not publish',
    mend: 'add `publish:`, or take the labels out',
    wrong: in2(withProperty('artifact_labels: [draft]')),
    right: in2(withProperty('publish: text\n  artifact_labels: [draft]')),
  }),
  warning('C087', {
    meaning: 'an unknown provider of models',
    mend: 'write `anthropic`, `zai`, `openai` or `auto`',
    wrong: in2(withProperty('provider: acme')),
    right: in2(withProperty('provider: openai')),
  }),
  warning('C088', {
    meaning: 'several providers for a backend that has one',
    mend: 'take the providers out, or choose another backend',
    wrong: in2(withProperty('backend: codex\n  provider: "openai,zai"')),
    right: in2(withProperty('backend: codex\n  provider: "openai"')),
  }),
  error('C097', {
    meaning: 'an unbounded loop without fuel',
    mend: 'write how often it may be taken at most, such as `unbounded 50`',
    wrong: in2(plain('a') + workflow('a', 'a -> a as l(unbounded)', 'a -> done')),
    right: in2(plain('a') + workflow('a', 'a -> a as l(unbounded 50)', 'a -> done')),
  }),
  warning('C098', {
    meaning: 'an unbounded loop that nothing leads out of',
    mend: 'add an edge to leave by, such as `a -> done`',
    wrong: in2(plain('a') + workflow('a', 'a -> a as l(unbounded 50)')),
    right: in2(plain('a') + workflow('a', 'a -> a as l(unbounded 50)', 'a -> done')),
  }),
  error('C102', {
    meaning: 'an unknown word for `compress`',
    mend: 'write `on`, `off` or `ultra`',
    wrong: in2(withProperty('compress: zip')),
    right: in2(withProperty('compress: ultra')),
  }),
  error('C103', {
    meaning: 'an unknown policy of a tool',
    mend: 'write `required`, `recover` or `best_effort`',
    wrong: tool('policy: maybe'),
    right: tool('policy: required'),
  }),
  error('C104', {
    meaning: 'a recovery without a postcondition',
    mend: 'add `postcondition:`, which says when it is needed',
    wrong: tool('recovery:\n    max_attempts: 2'),
    right: tool('postcondition: "test -f x"\n  recovery:\n    max_attempts: 2'),
  }),
  error('C105', {
    meaning: 'a recovery on a tool that decides where to go',
    mend: 'decide behind another node, or take the recovery out',
    wrong: deciding('postcondition: "test -f x"\n  recovery:\n    max_attempts: 2'),
    right: deciding('postcondition: "test -f x"'),
  }),
  warning('C106', {
    meaning: 'a recovery that the policy of its tool rules out',
    mend: 'write `policy: recover`',
    wrong: tool('policy: required\n  postcondition: "test -f x"\n  recovery:\n    max_attempts: 2'),
    right: tool('policy: recover\n  postcondition: "test -f x"\n  recovery:\n    max_attempts: 2'),
  }),
  error('C109', {
    meaning: 'a default of another type than its var',
    mend: 'write a value of the type, or change the type',
    wrong: varsOf('n: int = "x"'),
    right: varsOf('n: int = 1'),
  }),
  error('C122', {
    meaning: 'a timeout that cannot be read',
    mend: 'write it like `45s`, `10m` or `1h30m`',
    wrong: in2(withProperty('timeout: "soon"')),
    right: in2(withProperty('timeout: "10m"')),
  }),
  error('C125', {
    meaning: 'an enum on a var that is no string',
    mend: 'make it a string, or take the enum out',
    wrong: varsOf('n: int [enum: "1", "2"] = 1'),
    right: varsOf('n: string [enum: "1", "2"] = "1"'),
  }),
  error('C126', {
    meaning: 'a default that is not in the enum of its var',
    mend: 'write one of the values of the enum',
    wrong: varsOf('size: string [enum: "small", "large"] = "huge"'),
    right: varsOf('size: string [enum: "small", "large"] = "large"'),
  }),
  warning('C127', {
    meaning: 'a value that an enum of a var has twice',
    mend: 'take one of them out',
    wrong: varsOf('size: string [enum: "small", "small"]'),
    right: varsOf('size: string [enum: "small", "large"]'),
  }),
  warning('C128', {
    meaning: 'a node that leaves the sandbox of its workflow',
    mend: 'take `sandbox: none` out, unless that is what you want',
    wrong: inSandbox('sandbox: none'),
    right: inSandbox('sandbox: auto'),
  }),
  error('C130', {
    meaning: 'a field of an answer by the name under which files arrive',
    mend: 'rename the field',
    wrong: answers('_attachments'),
    right: answers('files'),
  }),
  error('C131', {
    meaning: 'an unknown word for `auto_memory`',
    mend: 'write `on` or `off`',
    wrong: in2(withProperty('auto_memory: maybe')),
    right: in2(withProperty('auto_memory: on')),
  }),
  error('C133', {
    meaning: 'an unknown word for `loop_budget_guard`',
    mend: 'write `on` or `off`',
    wrong: in2(plain('a') + workflow('a', 'loop_budget_guard: maybe', 'a -> done')),
    right: in2(plain('a') + workflow('a', 'loop_budget_guard: off', 'a -> done')),
  }),
  error('C134', {
    meaning: 'an unknown word for `repo_devbox`',
    mend: 'write `auto`, `on`, `off` or `none`',
    wrong: in2(plain('a') + workflow('a', 'repo_devbox: maybe', 'a -> done')),
    right: in2(plain('a') + workflow('a', 'repo_devbox: auto', 'a -> done')),
  }),
  warning('C137', {
    meaning: 'a reference in quotes in a command, which is quoted again when it is put in',
    mend: 'take the quotes around it out',
    wrong: command("echo '{{vars.x}}'"),
    right: command('echo {{vars.x}}'),
  }),
  error('C139', {
    meaning: 'an unknown word for `workspace_checkpoint`',
    mend: 'write `auto`, `on`, `off` or `none`',
    wrong: in2(plain('a') + workflow('a', 'workspace_checkpoint: maybe', 'a -> done')),
    right: in2(plain('a') + workflow('a', 'workspace_checkpoint: off', 'a -> done')),
  }),
  error('C148', {
    meaning: 'a reference to more than vars where a model, backend or provider is chosen',
    mend: 'write it out, or as `{{vars.NAME}}`',
    wrong: in2(`${agent('a', 'backend: "{{input.b}}"')}${workflow('a', 'a -> done')}`),
    right: in2(
      `vars:\n  b: string = "claude_code"\n\n${agent('a', 'backend: "{{vars.b}}"')}${workflow('a', 'a -> done')}`,
    ),
  }),
  error('C161', {
    meaning: 'a pattern of a var that is no regular expression, or whose var is no string',
    mend: 'mend the pattern, or make the var a string',
    wrong: varsOf('name: string [matching: "[a-z"]'),
    right: varsOf('name: string [matching: "^[a-z]+$"]'),
  }),
  error('C170', {
    meaning: 'an unknown visibility of memory',
    mend: 'write `bot`, `project`, `cross_project`, `user`, `org` or `global`',
    wrong: remembering('everyone'),
    right: remembering('project'),
  }),
  warning('C172', {
    meaning: 'a step without a name among providers',
    mend: 'take one comma out',
    wrong: in2(withProperty('provider: "openai,,zai"')),
    right: in2(withProperty('provider: "openai,zai"')),
  }),
  error('C195', {
    meaning: 'a need for a resource that nothing declares',
    mend: 'declare it under `resources:` of the workflow',
    wrong: in2(withProperty('needs: [gpu]')),
    right: in2(agent('a', 'needs: [gpu]') + workflow('a', 'resources:', '  gpu: 1', 'a -> done')),
  }),
  warning('C249', {
    meaning: 'two branches of a fan-out to one node',
    mend: 'take one of the edges out',
    wrong: fanOut('r -> a', 'r -> a', 'r -> b'),
    right: fanOut('r -> a', 'r -> b'),
  }),
  error('C260', {
    meaning: 'an action that is not written as one',
    mend: 'write it like `forgejo.issue.comment`',
    wrong: tool('action: issue\n  connection: forge'),
    right: tool('action: forgejo.issue.comment\n  connection: forge'),
  }),
  error('C261', {
    meaning: 'an action without a connection that is known before it runs',
    mend: 'add `connection:` with a name',
    wrong: tool('action: forgejo.issue.comment'),
    right: tool('action: forgejo.issue.comment\n  connection: forge'),
  }),
  error('C262', {
    meaning: 'a recovery on an action',
    mend: 'take it out: an action recovers by itself',
    wrong: tool('action: forgejo.issue.comment\n  connection: forge\n  recovery:\n    max_attempts: 2'),
    right: tool('action: forgejo.issue.comment\n  connection: forge'),
  }),
  error('C263', {
    meaning: 'a postcondition on an action',
    mend: 'take it out: the outcome of an action is known',
    wrong: tool('action: forgejo.issue.comment\n  connection: forge\n  postcondition: "test -f x"'),
    right: tool('action: forgejo.issue.comment\n  connection: forge'),
  }),
  warning('C266', {
    meaning: 'a property of actions on a tool that is none',
    mend: 'take it out, or add `action:`',
    wrong: tool('connection: forge'),
    right: tool('action: forgejo.issue.comment\n  connection: forge'),
  }),
];
