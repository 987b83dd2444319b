import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytes, cleaned, duration, oneLine, spoken } from './text.ts';

test.each([
  ['an override of direction', 'a\u202egnp.exe', 'agnp.exe'],
  ['an isolate', '\u2066a\u2069', 'a'],
  ['a null', 'a\u0000b', 'ab'],
  ['a whole sequence for a terminal', 'a\u001b[31mb', 'ab'],
  ['a mark of direction', 'a\u200fb', 'ab'],
  ['line ends', 'a\r\nb\rc', 'a\nb\nc'],
  ['another script', 'שלום', 'שלום'],
])('%s is cleaned', (_name, text, clean) => {
  expect(cleaned(text)).toBe(clean);
});

test('one line is one line, and nothing of it hides', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(oneLine(text)).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    }),
  );
});

test.each([
  ['**bold** and `code`', 'bold and code'],
  ['- one\n- two', 'one two'],
  ['# Title\n\ntext', 'Title text'],
  ['see [the log](https://example.org/x)', 'see the log'],
  ['```ts\nlet a\n```', 'let a'],
])('%j is read aloud as words', (markdown, words) => {
  expect(spoken(markdown)).toBe(words);
});

test('sizes and times for a person', () => {
  expect([bytes(12), bytes(70_000), duration(-5), duration(61_000)]).toEqual([
    '12 bytes',
    '68 KiB',
    '0 s',
    '1 min 1 s',
  ]);
});
