import { expect, test } from 'vitest';
import { withPrompt } from '../codes/sources.ts';
import { codesOf, type Verdict, wordsOf } from '../testing/verdicts.ts';

const MEMORY = 'user: p\n  memory:\n    enabled: true\n    scope: "x"';
const told = (text: string, user = 'user: p'): string => withPrompt(text).replace('user: p', user);

test.each<Verdict>([
  ['a tool of the memory', told('Keep it with memory_write.'), 'H008'],
  ['the brief that is kept there', told('Read CONTEXT_BRIEF.md first.'), 'H008'],
  ['the memory itself', told('You have durable memory.'), 'H008'],
  ['a denial', told('You have no durable memory, so never write CONTEXT_BRIEF.md.'), ''],
  ['a denial of something else', told('Do not guess. You have a durable brief.'), 'H008'],
  ['a node that can keep it', told('You have durable memory.', MEMORY), ''],
  ['one that only reads', told('You have durable memory.', `${MEMORY}\n    write: false`), 'H008'],
  [
    'one that is on a backend without it',
    told('memory_read', `${MEMORY}\n  backend: "claude_code"`),
    'C047 H008',
  ],
  ['a prompt that nobody uses', told('You have durable memory.', 'provider: "x"'), ''],
  ['a memory that is not durable', told('You remember this conversation.'), ''],
])('R13.36: a promise to remember, as %s, is kept by a node or diagnosed', (_, main, codes) => {
  expect(codesOf(main)).toEqual(wordsOf(codes));
});
