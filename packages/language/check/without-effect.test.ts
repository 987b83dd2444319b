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

test.each([
  ['fresh', []],
  ['artifacts_only', ['no artifact reaches a session']],
])('`session: %s` is run as it says, or diagnosed', (session, words) => {
  const found = compileBundle({ main: bot(session) }).diagnostics.filter(one => one.code === 'H006');
  expect(found).toEqual(
    words.map(word => expect.objectContaining({ message: expect.stringContaining(word) })),
  );
});

test('a worktree has an effect', () => {
  const main = bot('fresh').replace('entry: speaker', 'entry: speaker\n  worktree: auto');
  expect(main).toContain('worktree: auto');
  expect(compileBundle({ main }).diagnostics.filter(one => one.code === 'H006')).toEqual([]);
});
