import { expect, test } from 'vitest';
import { completionsAt, completionsInPrompt } from './completion.ts';
import { Source } from './source.ts';

const HEAD = `vars:
  topic: string = ""

schema words:
  message: string
  ok: bool

schema turn:
  reply: string
  close: bool

prompt said:
  {{input.message}}

artifact plan:
  body: reply

agent nexie:
  model: "m"
  input: words
  output: turn
  user: said
  publish: plan

human chat:
  output: words

review check:
  artifact: plan
  actions:
    confirm: "Confirm" [confirms]
    stop: "Stop" [stops]

workflow w:
  entry: nexie
  nexie -> chat as talk(3)
`;

/** The labels offered at `|`, behind declarations of every kind. */
function offered(written: string, head = HEAD): readonly string[] {
  const offset = head.length + written.indexOf('|');
  const source = new Source(head + written.replace('|', ''), 'main.bot');
  return completionsAt({ source, prompts: ['manner', 'said'] }, offset).map(one => one.label);
}

test.each([
  ['a line at the top', '\n|', ['vars', 'schema', 'prompt', 'agent', 'workflow', 'review']],
  ['a half-written keyword', '\nag|', ['agent', 'human']],
  ['a property', '\nagent b:\n  |', ['model', 'session', 'tools', 'memory']],
  ['a half-written property', '\nagent b:\n  model: "m"\n  ses|\n', ['session']],
  ['a property of an inner block', '\nagent b:\n  memory:\n    sco|', ['scope', 'autoload']],
  ['a word to choose', '\nagent b:\n  session: |', ['fresh', 'inherit_if_available']],
  ['a schema', '\nagent b:\n  input: w|', ['words', 'turn']],
  ['a prompt, from files too', '\nagent b:\n  system: |', ['said', 'manner']],
  ['an artifact in a list', '\nagent b:\n  requires: [|', ['plan']],
  ['a type of a field', '\nschema t:\n  x: |', ['string', 'bool', 'string[]']],
  ['a type of a var', '\nvars:\n  x: in|', ['int']],
  ['a field of a compute node', '\ncompute c:\n  output: turn\n  expr:\n    |', ['reply', 'close']],
  ['an edge or a property of the workflow', '  |', ['nexie', 'chat', 'check', 'entry', 'budget']],
  ['where an edge goes', '  chat -> |', ['nexie', 'check', 'done', 'fail']],
  ['a clause', '  chat -> nexie |', ['when', 'as', 'with', 'on', 'opens']],
  ['a condition: only bools', '  nexie -> done when |', ['close']],
  ['an action of the source', '  check -> nexie on |', ['confirm', 'stop', 'failed', 'interrupted']],
  ['an artifact that opens', '  chat -> nexie opens [|', ['plan']],
  ['a field of the node that is entered', '  chat -> nexie with { |', ['message', 'ok', '_session_id']],
  ['the same on a line of its own', '  chat -> nexie with {\n    message: "x",\n    |\n  }', ['ok']],
  ['what a reference may begin with', '  chat -> nexie with { message: "{{|', ['vars', 'outputs', 'input']],
  ['a var', '  chat -> nexie with { message: "{{vars.|}}" }', ['topic']],
  ['a node', '  chat -> nexie with { message: "{{outputs.|', ['nexie', 'chat']],
  [
    'a field of a node',
    '  chat -> nexie with { message: "{{outputs.nexie.|',
    ['reply', 'close', '_session_id'],
  ],
  ['input on an edge is the output of its source', '  nexie -> chat with { message: "{{input.|', ['reply']],
  ['a loop', '  chat -> nexie with { message: "{{loop.|', ['talk']],
  ['a reference in a prompt', '\nprompt more:\n  Hello {{|', ['vars', 'input']],
  [
    'a field in a prompt that a node uses',
    '\nprompt other:\n  {{input.|\n\nagent b:\n  input: words\n  user: other\n',
    ['message'],
  ],
  ['an expression', '\ncompute c:\n  input: words\n  expr:\n    x: "|', ['message', 'vars', 'length']],
  ['a field in a guard', '  nexie -> done when "cl|', ['close', 'contains']],
  ['a modifier', '\nreview r:\n  actions:\n    x: "X" [|', ['confirms', 'reopens', 'aside']],
  ['an artifact of a modifier', '\nreview r:\n  actions:\n    x: "X" [feedback, reopens: |', ['plan']],
  ['a node of a modifier', '\nreview r:\n  actions:\n    x: "X" [text, aside: |', ['nexie']],
])('offers %s', (_what, written, labels) => {
  expect(offered(written)).toEqual(expect.arrayContaining(labels));
});

test.each([
  ['words of profile 2 in profile 1', '\n|', ['fail', 'secrets']],
  ['declarations inside a block', '\nagent b:\n  |', ['agent', 'vars']],
  ['properties at the top', '\n|', ['model']],
  ['other types than bool in a condition', '  nexie -> done when |', ['reply']],
])('does not offer %s', (_what, written, labels) => {
  expect(offered(written).filter(label => labels.includes(label))).toEqual([]);
});

test.each([
  ['in a comment', '\n## ag|'],
  ['in the words of a prompt', '\nprompt p:\n  ag|'],
  ['in a string', '\nagent b:\n  model: "ag|"'],
  ['behind a finished reference', '  chat -> nexie with { message: "{{vars.topic}} |'],
])('offers nothing %s', (_where, written) => {
  expect(offered(written)).toEqual([]);
});

test('profile 2 has its own words', () => {
  expect(offered('\n|', `dsl: 2\n\n${HEAD}`)).toEqual(expect.arrayContaining(['fail', 'secrets']));
  expect(offered('  nexie -> done |', `dsl: 2\n\n${HEAD}`)).toContain('else');
});

test('a prompt in a file of its own knows the input of its node', () => {
  const known = { source: new Source(HEAD, 'main.bot'), prompts: [] };
  const labels = (text: string): readonly string[] =>
    completionsInPrompt(known, 'said', text).map(one => one.label);
  expect(labels('You said {{input.')).toEqual(['message', 'ok']);
  expect(labels('You said {{')).toContain('vars');
  expect(labels('You said {{vars.topic}} and')).toEqual([]);
});
