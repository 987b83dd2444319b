import { expect, test } from 'vitest';
import { compileBundle } from '../compile/compile.ts';

const bot = (session: string): string => `prompt ask:
  Say something.

agent speaker:
  user: ask
  session: ${session}

workflow one:
  entry: speaker
  speaker -> done
`;

const noted = (main: string): readonly string[] =>
  compileBundle({ main }).diagnostics.flatMap(({ code, message, at }) =>
    code === 'H006' ? [`${at.line}:${at.column} ${message}`] : [],
  );

test.each(['fresh', 'artifacts_only'])('`session: %s` is run as it says', session => {
  expect(noted(bot(session))).toEqual([]);
});

test.each([
  ['condition', []],
  ['fan_out_all', ['17:17 a condition has no effect on an edge of the router `way`: every edge is taken']],
  [
    'round_robin',
    ['17:17 a condition has no effect on an edge of the router `way`: an edge with one is never taken'],
  ],
])('a condition on an edge of a router, mode %s', (mode, words) => {
  const end = (name: string): string => `compute ${name}:\n  expr:\n    x: "1"\n\n`;
  const main = `${end('a')}${end('b')}router way:\n  mode: ${mode}\n\nworkflow one:\n  entry: way\n\n  way -> a\n  way -> b\n  way -> b when "1 == 1"\n  a -> done\n  b -> done\n`;
  expect(noted(main)).toEqual(words);
});

test.each([
  ['model: "m"', '', []],
  ['model: "m"\n  backend: "model-api"', '', []],
  ['backend: "${B}"', '', []],
  ['model: "m"', 'default_backend: "codex"', ['codex']],
  ['model: "m"\n  backend: "claw"', 'default_backend: "codex"', []],
  ['backend: "claude_code"', '', ['claude_code']],
])('answers are bounded where Hearth asks the model: %s, %s', (own, all, backends) => {
  const main = bot('fresh')
    .replace('user: ask', `user: ask\n  ${own}\n  max_tokens: 100`)
    .replace('entry: speaker', `entry: speaker\n  ${all}`);
  expect(noted(main).map(words => words.replace(/^\d+:\d+ /, ''))).toEqual(
    backends.map(
      backend => `\`max_tokens\` has no effect on the backend \`${backend}\`: answers are not bounded`,
    ),
  );
  expect(noted(main.replace('max_tokens: 100', 'max_tokens: 0'))).toEqual([]);
});

test('a worktree has an effect', () => {
  const main = bot('fresh').replace('entry: speaker', 'entry: speaker\n  worktree: auto');
  expect(main).toContain('worktree: auto');
  expect(compileBundle({ main }).diagnostics.filter(one => one.code === 'H006')).toEqual([]);
});
