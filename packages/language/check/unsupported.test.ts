import { expect, test } from 'vitest';
import { compileBundle } from '../compile/compile.ts';

/** What is said to be not run yet, with its place. */
const missing = (main: string): readonly string[] =>
  compileBundle({ main }).diagnostics.flatMap(({ code, severity, message, at }) =>
    code === 'H003' ? [`${at.line}:${at.column} ${severity} ${message}`] : [],
  );

test('an address at which others fetch an attachment is named where it is asked for; the rest of a file is no matter', () => {
  const main = `attachments:
  f: file

agent a:
  model: "m"
  user: p

prompt p:
  {{attachments.f}} {{attachments.f.sha256}}
  {{attachments.f.url}}

workflow w:
  entry: a
  a -> done
`;
  expect(missing(main)).toEqual([
    '10:3 warning addresses of attachments cannot be used yet, so no conversation can use this bot',
  ]);
  expect(compileBundle({ main }).plan?.unsupported).toEqual(['addresses of attachments']);
  expect(
    compileBundle({ main: main.replace('  {{attachments.f.url}}\n', '') }).plan?.unsupported,
  ).toBeUndefined();
});

test.each<[string, string, readonly string[]]>([
  ['a command', 'tool t:\n  command: "cat {{secrets.k.path}}"\n', []],
  ['the prompt of an agent', 'agent t:\n  model: "m"\n  user: "{{secrets.k.path}}"\n', []],
  [
    'what a person is asked',
    'human t:\n  instructions: "{{secrets.k.path}}"\n',
    ['paths of secrets outside of commands, scripts and the prompts of agents'],
  ],
])('the path of a secret in %s', (_, node, features) => {
  const main = `dsl: 2\n\nsecrets:\n  k:\n    as: file\n\n${node}\nworkflow w:\n  entry: t\n  t -> done\n`;
  expect(compileBundle({ main }).plan?.unsupported ?? []).toEqual(features);
  expect(missing(main)).toHaveLength(features.length);
});

test('what cannot be run yet is named where it is written, once for each node', () => {
  const main = `prompt p:
  hello

cursor zeal:
  values:
    low: "calm"

tool t:
  command: "ls"
  sandbox: auto

human h:
  min_answers: 2

agent a:
  model: "m"
  user: p
  sandbox: none
  tool_policy: [bash]
  cursors:
    zeal: low
  memory:
    enabled: false

workflow w:
  entry: t
  sandbox: auto
  t -> h
  h -> a
  a -> done
`;
  const { plan } = compileBundle({ main });
  expect(plan).not.toBeNull();
  const rest = 'cannot be run yet, so no conversation can use this bot';
  expect(missing(main)).toEqual([`27:3 warning sandboxes ${rest}`, `10:3 warning sandboxes ${rest}`]);
});
