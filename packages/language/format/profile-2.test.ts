import { expect, test } from 'vitest';
import { format } from './format.ts';

/* What profile 2 adds, and the traps of profile 1 that are none any more. */

test.each([
  ['the profile stands apart', 'dsl:2\nvars:\n  x: int\n', 'dsl: 2\n\nvars:\n  x: int\n'],
  [
    'comments with one sign',
    'dsl: 2\n\nvars: # a\n    x: int # b\n    # c\n# d\n',
    'dsl: 2\n\nvars:  # a\n  x: int  # b\n  # c\n\n# d\n',
  ],
  [
    'blank lines of prompts stay, all of them',
    'dsl: 2\n\nprompt p:\n    a\n\n\n      b\n\n\n\nvars:\n  x: int\n',
    'dsl: 2\n\nprompt p:\n  a\n\n\n    b\n\nvars:\n  x: int\n',
  ],
  [
    'lists with dashes',
    'dsl: 2\n\nagent a:\n  tools:\n      -   read_file\n      - mcp.x.*  # b\n  model:   auto\n',
    'dsl: 2\n\nagent a:\n  tools:\n    - read_file\n    - mcp.x.*  # b\n  model: auto\n',
  ],
  [
    'empty lists and blocks',
    'dsl: 2\n\nschema s:\n\nagent a:\n  tools:[ ]\n',
    'dsl: 2\n\nschema s:\n\nagent a:\n  tools: []\n',
  ],
  [
    'prompts where their name would stand',
    'dsl: 2\n\nagent a:\n  user:  "x"\n  system: |\n          a\n\n            b\n',
    'dsl: 2\n\nagent a:\n  user: "x"\n  system: |\n    a\n\n      b\n',
  ],
  [
    'chains and else',
    'dsl: 2\n\nworkflow w:\n  a->b->c   when x\n  a->d else\n',
    'dsl: 2\n\nworkflow w:\n  a -> b -> c when x\n  a -> d else\n',
  ],
  [
    'actions with modifiers',
    'review r:\n   actions:\n      a:"A"[feedback,reopens:x]\n      b :  "B"\n',
    'review r:\n  actions:\n    a: "A" [feedback, reopens: x]\n    b: "B"\n',
  ],
  ['a comment on the header of a prompt', 'prompt p:## a\n   ## b\n   c\n', 'prompt p:  ## a\n  ## b\n  c\n'],
  [
    'a comment between the header of a prompt and its text',
    'dsl: 2\n\nprompt p:\n\n## a\n\n   c\n',
    'dsl: 2\n\nprompt p:\n## a\n  c\n',
  ],
  [
    'what this version passes over',
    'dsl: 2\n\nsupervisor s:\n    cooldown:30s\n    watches:  [ a ]\n    when: v=>-1\n',
    'dsl: 2\n\nsupervisor s:\n  cooldown: 30s\n  watches: [a]\n  when: v => -1\n',
  ],
  ['a prompt that is called like a keyword', 'prompt system:\n   c\n', 'prompt system:\n  c\n'],
])('%s', (_what, source, text) => {
  expect(format(source, 'main.bot')).toEqual({ is: 'formatted', text });
});
