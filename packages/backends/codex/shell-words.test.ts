import { expect, test } from 'vitest';
import { plainCommand } from './shell-words.ts';

test.each([
  ["/bin/bash -c 'echo one >> log'", 'echo one >> log'],
  [String.raw`/usr/bin/zsh -lc "it's \"so\" \$HOME"`, `it's "so" $HOME`],
  ['/bin/sh -c ls', 'ls'],
  [String.raw`/bin/sh -c a\ b`, 'a b'],
  // What is not one of the usual shells with one command is shown as it is.
  ['git status', 'git status'],
  ['/tmp/bash -c ls', '/tmp/bash -c ls'],
  ["/bin/bash -c 'a' b", "/bin/bash -c 'a' b"],
  ["/bin/bash -c 'a", "/bin/bash -c 'a"],
  ['/bin/bash -i -c ls', '/bin/bash -i -c ls'],
  ['', ''],
])('the command of %j is %j', (text, command) => expect(plainCommand(text)).toBe(command));
