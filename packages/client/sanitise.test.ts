import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitise, sanitiseKeys, sanitiseLine } from './sanitise.ts';

const ESC = '\u001b';

describe('sanitise', () => {
  it.each([
    ['colours', `a${ESC}[31mb${ESC}[0mc`, 'abc'],
    ['cursor movement', `a${ESC}[2J${ESC}[10;5Hb`, 'ab'],
    ['private modes', `a${ESC}[?1049hb`, 'ab'],
    ['a window title', `a${ESC}]0;pwned\u0007b`, 'ab'],
    ['the clipboard', `a${ESC}]52;c;cHduZWQ=${ESC}\\b`, 'ab'],
    ['a link', `${ESC}]8;;http://x${ESC}\\here${ESC}]8;;${ESC}\\`, 'here'],
    ['a device control string', `a${ESC}Pq#0;2${ESC}\\b`, 'ab'],
    ['an eight-bit device control string', 'a\u0090q#0;2\u009cb', 'ab'],
    ['other strings', `a${ESC}Xone${ESC}\\${ESC}^two${ESC}\\${ESC}_three${ESC}\\b`, 'ab'],
    ['eight-bit introducers', 'a\u009b31mb\u009d0;pwned\u009cc', 'abc'],
    ['a string without an end', `a${ESC}]0;still here`, 'a0;still here'],
    ['an unfinished sequence', `a${ESC}[31`, 'a31'],
    ['a lone escape', `a${ESC}`, 'a'],
    ['a bell and a backspace', 'a\u0007b\u0008c', 'abc'],
    ['marks that reorder', 'a\u202eb\u2066c\u2069', 'abc'],
    ['marks of direction', 'a\u061cb\u200ec\u200fd', 'abcd'],
    ['a mark of byte order', '\ufeffa\ufeffb', 'ab'],
    ['carriage returns', 'a\r\nb\rc', 'a\nb\nc'],
    ['nothing of line feeds and tabs', 'a\n\tb', 'a\n\tb'],
    ['nothing of the words of any script', 'é 漢字 👩‍💻 שלום', 'é 漢字 👩‍💻 שלום'],
  ])('takes out %s', (_name, text, safe) => {
    expect(sanitise(text)).toBe(safe);
  });

  it('takes a text of nothing but introducers in one pass', () => {
    expect(sanitise('\u009d'.repeat(1_000_000))).toBe('');
    expect(sanitise(`${ESC}[`.repeat(500_000))).toBe('');
  });

  it('leaves nothing that a terminal obeys of any text, and changes nothing that is safe', () => {
    const parts = fc.oneof(
      fc.constantFrom(
        ESC,
        '[',
        ']',
        '0;',
        'm',
        '\u0007',
        '\\',
        'P',
        '\u009b',
        '\u009d',
        '\u009c',
        '\n',
        '漢',
      ),
      fc.string({ unit: fc.integer({ min: 0, max: 0x2fff }).map(code => String.fromCodePoint(code)) }),
    );
    fc.assert(
      fc.property(fc.array(parts), pieces => {
        const safe = sanitise(pieces.join(''));
        expect(safe).not.toMatch(/[^\P{Cc}\n\t]|[\p{Bidi_Control}\ufeff]/u);
        expect(sanitise(safe)).toBe(safe);
      }),
    );
  });
});

it('a line stays one line', () => {
  expect(sanitiseLine(' a\nb\t c\u001b[2J ')).toBe('a b c');
});

it('keys stay what they are, and lose what no key sends', () => {
  const keys = ['a', 'é', '漢', '\r', '\t', '\u007f', '\u0003', `${ESC}[A`, `${ESC}[200~a\nb${ESC}[201~`];
  expect(keys.map(sanitiseKeys)).toEqual(keys);
  expect(sanitiseKeys('a\u009b31mb\u202ec\ufeff')).toBe('a31mbc');
});
