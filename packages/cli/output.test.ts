import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Io } from './command.ts';
import { print, printJson, printTable } from './output.ts';

function recorder(): { readonly io: Io; readonly text: () => string } {
  const stdout = new PassThrough();
  const io = {
    env: {},
    cwd: '/',
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    interrupted: new AbortController().signal,
    interruption: { message: '' },
  };
  return { io, text: () => String(stdout.read() ?? '') };
}

test('words are printed without what a terminal obeys', () => {
  const { io, text } = recorder();
  print(io, 'a\u001bPq#0;2\u001b\\b\u001b[31mc\u202e\ufeffd\n\te\rf');
  expect(text()).toBe('abcd\n\te\nf\n');
});

test('JSON is parsed back to what it was, and obeyed by no terminal', () => {
  const { io, text } = recorder();
  const value = { words: 'a\u001b[2J\u009b31m\u202e\ufeff\u007fé' };
  printJson(io, value);
  const printed = text();
  expect(JSON.parse(printed)).toEqual(value);
  expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\ufeff]/u);
});

test('columns line up, the last one is as long as it is', () => {
  const { io, text } = recorder();
  printTable(io, [
    ['a', 'long word', 'x'],
    ['bcd', 'y', 'the rest'],
  ]);
  expect(text()).toBe('a    long word  x\nbcd  y          the rest\n');
});
