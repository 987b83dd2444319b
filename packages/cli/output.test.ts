import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Io } from './command.ts';
import { printJson, printTable, sanitise, sanitiseLine } from './output.ts';

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

test.each([
  ['colour', '\u001b[31mred\u001b[0m', 'red'],
  ['a title', '\u001b]0;owned\u0007text', 'text'],
  ['a link', '\u001b]8;;http://x\u001b\\here\u001b]8;;\u001b\\', 'here'],
  ['an unfinished sequence', 'a\u001b[31', 'a31'],
  ['eight-bit controls', 'a\u009b31mb', 'ab'],
  ['a carriage return', 'safe\rEVIL', 'safeEVIL'],
  ['Windows lines', 'a\r\nb', 'a\nb'],
  ['turned text', 'a\u202eb', 'ab'],
  ['newlines and tabs', 'a\n\tb', 'a\n\tb'],
  ['other scripts', 'é 漢 🙂', 'é 漢 🙂'],
])('%s', (_name, text, safe) => {
  expect(sanitise(text)).toBe(safe);
});

test('nothing that a terminal obeys is left of any text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0, max: 0x2fff }).map(code => String.fromCodePoint(code)) }),
      text => {
        const safe = Array.from(sanitise(text), character => character.codePointAt(0) ?? 0);
        return safe.every(
          code => code === 9 || code === 10 || (code >= 32 && code !== 127 && (code < 128 || code >= 160)),
        );
      },
    ),
  );
});

test('a line stays one line', () => {
  expect(sanitiseLine(' a\nb\t c\u001b[2J ')).toBe('a b c');
});

test('JSON is parsed back to what it was, and obeyed by no terminal', () => {
  const { io, text } = recorder();
  const value = { words: 'a\u001b[2J\u009b31m\u202e\u007fé' };
  printJson(io, value);
  const printed = text();
  expect(JSON.parse(printed)).toEqual(value);
  expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});

test('columns line up, the last one is as long as it is', () => {
  const { io, text } = recorder();
  printTable(io, [
    ['a', 'long word', 'x'],
    ['bcd', 'y', 'the rest'],
  ]);
  expect(text()).toBe('a    long word  x\nbcd  y          the rest\n');
});
