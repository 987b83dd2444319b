import { type Code, error, warning } from './code.ts';
import { agent, base, beside, plain, SCHEMA, withProperty, withPrompt, workflow } from './sources.ts';

/** What the compiler says about names: of schemas, prompts and nodes, and in everything that reads a value. */
export const NAMES: readonly Code[] = [
  error('C002', {
    meaning: 'an unknown schema',
    mend: 'declare the schema, or write the name of one that is declared',
    wrong: withProperty('output: nope'),
    right: base('a -> done'),
  }),
  error('C003', {
    meaning: 'an unknown prompt',
    mend: 'declare the prompt, or add it to the bundle as `prompts/NAME.md`',
    wrong: withProperty('user: nope'),
    right: withPrompt('Hello.'),
  }),
  error('C004', {
    meaning: 'a malformed reference, or a tool without exactly one body',
    mend: 'write `{{namespace.name}}`, where the namespace is `vars`, `input`, `outputs`, `artifacts`, `attachments`, `loop` or `run`',
    wrong: withPrompt('Hello {{vars}}'),
    right: withPrompt('Hello {{vars.name}}', 'vars:\n  name: string = "you"\n\n'),
  }),
  error('C017', {
    meaning: 'the history of a node that never loops',
    mend: 'read the output itself, or put the node into a loop',
    wrong: base('a -> done with { h: "{{outputs.a.history}}" }'),
    right: base('a -> done with { h: "{{outputs.a}}" }'),
  }),
  error('C029', {
    meaning: 'the output of an unknown node',
    mend: 'write the name of a node that is declared',
    wrong: base('a -> done with { x: "{{outputs.ghost.ok}}" }'),
    right: base('a -> done with { x: "{{outputs.a.ok}}" }'),
  }),
  error('C031', {
    meaning: 'an unknown field of an output',
    mend: 'write a field of the schema that the node puts out',
    wrong: base('a -> done with { x: "{{outputs.a.nope}}" }'),
    right: base('a -> done with { x: "{{outputs.a.ok}}" }'),
  }),
  warning('C032', {
    meaning: 'a field of an output without a schema',
    mend: 'give the node an `output:` schema that has the field',
    wrong: plain('a') + workflow('a', 'a -> done with { x: "{{outputs.a.ok}}" }'),
    right: base('a -> done with { x: "{{outputs.a.ok}}" }'),
  }),
  error('C033', {
    meaning: 'an unknown var',
    mend: 'declare the var under `vars:`',
    wrong: withPrompt('{{vars.nope}}'),
    right: withPrompt('{{vars.nope}}', 'vars:\n  nope: string\n\n'),
  }),
  error('C034', {
    meaning: 'an unknown field of the input',
    mend: 'write a field of the input schema; a `with` value reads the input schema of the node that its edge leaves',
    wrong: `prompt p:\n  {{input.nope}}\n\n${SCHEMA}${withProperty('input: s\n  user: p')}`,
    right: `prompt p:\n  {{input.n}}\n\n${SCHEMA}${withProperty('input: s\n  user: p')}`,
  }),
  error('C035', {
    meaning: 'an artifact that nothing publishes',
    mend: 'give a node that runs before `publish:` with the name of the artifact',
    wrong: base('a -> done with { x: "{{artifacts.nope}}" }'),
    right: agent('a', 'publish: nope') + workflow('a', 'a -> done with { x: "{{artifacts.nope}}" }'),
  }),
  error('C036', {
    meaning: 'the output of a node that never runs before',
    mend: 'read from a node on the way to this one',
    wrong: `prompt p:\n  {{outputs.b.ok}}\n\n${SCHEMA}${agent('a', 'user: p')}${agent('b')}${workflow('a', 'a -> b', 'b -> done')}`,
    right: `prompt p:\n  {{outputs.b.ok}}\n\n${SCHEMA}${agent('a', 'user: p')}${agent('b')}${workflow('b', 'b -> a', 'a -> done')}`,
  }),
  error('C039', {
    meaning: 'a compute node without expressions',
    mend: 'add an `expr:` block with one expression for each field',
    wrong: `${SCHEMA}compute a:\n  output: s\n\n${workflow('a', 'a -> done')}`,
    right: `${SCHEMA}compute a:\n  output: s\n  expr:\n    ok: "true"\n    n: "1"\n\n${workflow('a', 'a -> done')}`,
  }),
  error('C040', {
    meaning: 'an expression that cannot be read',
    mend: 'complete the expression as the message says',
    wrong: `${SCHEMA}compute a:\n  output: s\n  expr:\n    ok: "1 +"\n    n: "1"\n\n${workflow('a', 'a -> done')}`,
    right: `${SCHEMA}compute a:\n  output: s\n  expr:\n    ok: "1 + 1"\n    n: "1"\n\n${workflow('a', 'a -> done')}`,
  }),
  error('C041', {
    meaning: 'a name declared twice',
    mend: 'rename one of the two; nodes of all kinds share their names',
    wrong: `${plain('a')}${base('a -> done')}`,
    right: plain('a') + workflow('a', 'a -> done'),
  }),
  error('C042', {
    meaning: 'a node with a reserved name',
    mend: 'choose another name: `done` and `fail` are the ends that every workflow has',
    wrong: beside('tool done:\n  command: "ls -l"'),
    right: `tool list:\n  command: "ls -l"\n\n${workflow('list', 'list -> done')}`,
  }),
  error('C053', {
    meaning: 'an unknown attachment',
    mend: 'declare the attachment under `attachments:`',
    wrong: withPrompt('{{attachments.nope}}'),
    right: withPrompt('{{attachments.nope}}', 'attachments:\n  nope: file\n\n'),
  }),
  error('C054', {
    meaning: 'an unknown part of an attachment',
    mend: 'write `path`, `url`, `mime`, `size` or `sha256`, or leave the part out to read the path',
    wrong: withPrompt('{{attachments.f.colour}}', 'attachments:\n  f: file\n\n'),
    right: withPrompt('{{attachments.f.mime}}', 'attachments:\n  f: file\n\n'),
  }),
];
