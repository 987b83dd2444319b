import { describe, expect, test } from 'vitest';
import { compileBundle } from '../compile/compile.ts';

/** What is said to be not run yet, with its place. */
const missing = (main: string): readonly string[] =>
  compileBundle({ main }).diagnostics.flatMap(({ code, severity, message, at }) =>
    code === 'H003' ? [`${at.line}:${at.column} ${severity} ${message}`] : [],
  );

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
  expect(missing(main)).toEqual([
    `27:3 warning sandboxes ${rest}`,
    `13:3 warning \`min_answers\` ${rest}`,
    `10:3 warning sandboxes ${rest}`,
  ]);
});

describe('reading artifacts is named, since nothing is published', () => {
  const places = (prompt: string, edge: string, fields = '    text: "1"\n'): readonly string[] =>
    missing(
      `schema s:\n  text: string\n\nprompt p:\n  ${prompt}\n\nagent a:\n  model: "m"\n  user: p\n  publish: x\n\ncompute b:\n  output: s\n  expr:\n${fields}\nworkflow w:\n  entry: a\n  a -> b\n  b -> done${edge}\n`,
    ).map(one => one.split(' ')[0] ?? '');

  test.each<[string, string, string, string | undefined, string[]]>([
    ['in a prompt', 'see {{artifacts.x}}', '', undefined, ['5:7']],
    ['in a value of an edge', 'see', ' with { x: "{{artifacts.x.y}}" }', undefined, ['20:23']],
    ['in a guard', 'see', ' when "artifacts.x"', undefined, ['20:18']],
    ['in a field', 'see', '', '    text: "artifacts.x"\n', ['15:11']],
    ['nowhere', 'see {{vars.x}}', '', undefined, []],
  ])('%s', (_, prompt, edge, fields, expected) => {
    expect(places(prompt, edge, fields)).toEqual(expected);
  });
});
