import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytes, cleaned, oneLine } from './text.ts';

const ESC = '\u001b';

describe('cleaned', () => {
  it.each([
    ['colours', `a${ESC}[31mb${ESC}[0mc`, 'abc'],
    ['cursor movement', `a${ESC}[2J${ESC}[10;5Hb`, 'ab'],
    ['private modes', `a${ESC}[?1049hb`, 'ab'],
    ['a window title', `a${ESC}]0;pwned\u0007b`, 'ab'],
    ['the clipboard', `a${ESC}]52;c;cHduZWQ=${ESC}\\b`, 'ab'],
    ['a device control string', `a${ESC}Pq#0;2${ESC}\\b`, 'ab'],
    ['eight-bit introducers', 'a\u009b31mb\u009d0;pwned\u009cc', 'abc'],
    ['a string without an end', `a${ESC}]0;still here`, 'a0;still here'],
    ['a lone escape', `a${ESC}`, 'a'],
    ['a bell and a backspace', 'a\u0007b\u0008c', 'abc'],
    ['marks that reorder', 'a\u202eb\u2066c\u2069', 'abc'],
    ['carriage returns', 'a\r\nb\rc', 'a\nb\nc'],
    ['tabs', 'a\tb', 'a    b'],
    ['words of any script', 'é 漢字 👩‍💻 שלום', 'é 漢字 👩‍💻 שלום'],
  ])('takes out %s', (_name, text, clean) => {
    expect(cleaned(text)).toBe(clean);
  });

  it('leaves no control character in anything', () => {
    const parts = fc.constantFrom(
      ESC,
      '[',
      ']',
      '0',
      ';',
      'm',
      '\u0007',
      '\\',
      'P',
      'x',
      '\u009b',
      '\u009d',
      '\n',
      '漢',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(parts), pieces => {
        expect(cleaned(pieces.join(''))).not.toMatch(/[^\P{Cc}\n]/u);
      }),
    );
  });

  it('changes nothing that is clean already', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        expect(cleaned(cleaned(text))).toBe(cleaned(text));
      }),
    );
  });
});

it('puts everything on one line', () => {
  expect(oneLine(' a\n\n  b\tc ')).toBe('a b c');
});

it.each([
  [12, '12 bytes'],
  [120_000, '117 KiB'],
])('says %i as %s', (count, text) => {
  expect(bytes(count)).toBe(text);
});
