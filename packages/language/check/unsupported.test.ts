import { expect, test } from 'vitest';
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
