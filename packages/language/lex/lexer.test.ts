import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokensOf } from './lexer.ts';
import { sourceLike } from '../testing/source-like.ts';
import type { Token } from './token.ts';

const kinds = (source: string): string =>
  tokensOf(source)
    .map(token => (token.kind === 'mark' || token.kind === 'word' ? token.text : token.kind.toUpperCase()))
    .join(' ');
const values = (source: string, kind: Token['kind']): readonly string[] =>
  tokensOf(source)
    .filter(token => token.kind === kind)
    .map(token => token.value);

test('every character of any text is in the tokens, at the place they say', () => {
  fc.assert(
    fc.property(fc.oneof(sourceLike, fc.string({ unit: 'binary' })), source => {
      const tokens = tokensOf(source);
      expect(tokens.map(token => token.lead + token.text).join('')).toBe(source);
      const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
      const lines = text.split('\n').map(line => Array.from(line).length);
      for (const { at } of tokens) {
        expect(at.column).toBeLessThanOrEqual((lines[at.line - 1] ?? -1) + 1);
      }
      expect(tokens.at(-1)?.kind).toBe('eof');
      const count = (kind: Token['kind']): number => tokens.filter(token => token.kind === kind).length;
      expect(count('indent')).toBe(count('dedent'));
    }),
  );
});

describe('layout', () => {
  test.each([
    ['a:\n  b\n    c\nd\n', 'a : NEWLINE INDENT b NEWLINE INDENT c NEWLINE DEDENT DEDENT d NEWLINE EOF'],
    ['a:\n    b\n  c\n', 'a : NEWLINE INDENT b NEWLINE DEDENT ERROR c NEWLINE EOF'],
    ['a:\n\tb c\nd', 'a : NEWLINE ERROR d EOF'],
    ['a:\n  b ## note\n## other\n  c', 'a : NEWLINE INDENT b COMMENT COMMENT c DEDENT EOF'],
    ['a\n\n   \n\nb', 'a NEWLINE b EOF'],
    ['a\n \t\nb', 'a NEWLINE ERROR b EOF'],
    ['prompt p:\n  a\n\t\n  \n  b', 'prompt p : NEWLINE INDENT PROMPT_LINE PROMPT_LINE DEDENT EOF'],
    ['\u0663\u0664', 'INT EOF'],
    ['a\tb', 'a b EOF'],
    ['a # b', 'a ERROR b EOF'],
    ['-1 -> x-y', 'ERROR INT -> x ERROR y EOF'],
    ['m2.5 1.5 1.', 'm2 . INT FLOAT INT . EOF'],
    ['string[] strings[]', 'string[] strings [ ] EOF'],
    ['a\r\nb\rc', 'a NEWLINE b ERROR c EOF'],
  ])('%j', (source, expected) => {
    expect(kinds(source)).toBe(expected);
  });

  test('at most 100 levels, the first column counted', () => {
    const lines = Array.from({ length: 101 }, (_, level) => `${' '.repeat(level)}a`);
    const tokens = tokensOf(lines.join('\n'));
    expect(tokens.filter(token => token.kind === 'indent')).toHaveLength(99);
    expect(values(lines.join('\n'), 'error')).toEqual(['indentation deeper than 100 levels']);
  });

  test('a source beyond 10 MiB is one error', () => {
    expect(kinds('x'.repeat(10 * 1024 * 1024))).not.toContain('ERROR');
    expect(tokensOf('é'.repeat(5 * 1024 * 1024 + 1))).toMatchObject([
      { kind: 'error', at: { line: 1, column: 1 } },
      { kind: 'eof' },
    ]);
  });

  test('after ten thousand errors the rest is one more', () => {
    const tokens = tokensOf(`${';'.repeat(10_000)}agent a:\n  model: "m"`);
    expect(tokens).toHaveLength(10_002);
    expect(tokens.at(-2)).toMatchObject({ kind: 'error', text: 'agent a:\n  model: "m"' });
  });

  test('columns count code points; a byte order mark has no width', () => {
    expect(tokensOf('\u{feff}𝒳 é "𝒳" b').map(token => token.at.column)).toEqual([1, 3, 5, 9, 10]);
    expect(tokensOf('a\r\n  b').at(2)?.at).toEqual({ line: 2, column: 3 });
  });
});

describe('strings', () => {
  test.each([
    ['"a\\"b"', ['a\\"b']],
    ['"\\n"', ['\\n']],
    ['"a\\\r\n  b"', ['a\\\n  b']],
    ['## strict-escape: on\n"\\n\\"\\\\"', ['\n"\\']],
    ['##strict-escape = on\n"\\t"', ['\t']],
    ['x\n## strict-escape: on\n"\\n"', ['\\n']],
    ['`a\\n"\r\n  b`', ['a\\n"\n  b']],
    ['k: |\n    one\n      two\n\n  three\n', ['one\n  two\n\n']],
    ['k: |\n\n  one\n\n  two', ['one\n\ntwo\n']],
    ['k: | ## note\n  ## text\n', ['## text\n']],
    ['a:\n  k: |\n  body\n  k2: x\n', ['body\nk2: x\n']],
    ['k: |\n   one\n  k2: x\n', ['one\n']],
    ['k: |', ['']],
    ['k: |\r\n  a\r\n', ['a\n']],
  ])('%j', (source, expected) => {
    expect(values(source, 'string')).toEqual(expected);
  });

  test.each([
    ['"abc\nx', 'ERROR NEWLINE x EOF'],
    ['## strict-escape: on\n"abc\\\nx', 'COMMENT ERROR NEWLINE x EOF'],
    ['`abc\nx', 'ERROR EOF'],
    ['## strict-escape: on\n"\\q"', 'COMMENT ERROR EOF'],
    ['k: | text', 'k : ERROR text EOF'],
    ['k |', 'k ERROR EOF'],
    ['a:\n  k: |\n    x\n  z', 'a : NEWLINE INDENT k : STRING NEWLINE z DEDENT EOF'],
  ])('%j', (source, expected) => {
    expect(kinds(source)).toBe(expected);
  });
});

test('a character that cannot be seen is told by its number', () => {
  expect(values('; \u0000 \u001b \ud800 \u00a0 😀', 'error')).toEqual(
    ['`;`', 'U+0000', 'U+001B', 'U+D800', 'U+00A0', '`😀`'].map(name => `the character ${name}`),
  );
});

describe('prompt bodies', () => {
  test('every line as deep as the first is text', () => {
    const source = 'prompt p:\n  one "x\n    ## two\n\n  \tthree {{a}}  \nagent';
    expect(values(source, 'prompt_line')).toEqual(['one "x', '  ## two', '\tthree {{a}}  ']);
    expect(kinds(source)).toBe(
      'prompt p : NEWLINE INDENT PROMPT_LINE PROMPT_LINE PROMPT_LINE DEDENT agent EOF',
    );
  });

  test.each([
    ['prompt system:\n  text here\n', ['text here']],
    ['prompt inherit_if_available:\n  text here\n', ['text here']],
    ['prompt p: ## note\n  text here\n', ['text here']],
    ['prompt p:\n  ## first\n  text here\n', ['## first', 'text here']],
    ['prompt p:\n    ## first\n  text here\n', ['## first']],
    ['prompt p: ## note\n## another\n\n  ## first\n', ['## first']],
  ])('is entered for %j', (source, lines) => {
    expect(values(source, 'prompt_line')).toEqual(lines);
  });

  test.each([
    'prompt p:\n## no body\n',
    'prompt p:\n\ttext here\n',
    'prompt p:\n  \ttext here\n',
    'prompt p\n  text here\n',
    'prompt: p:\n  text here\n',
    'agent p:\n  text here\n',
    'prompt p: x\n  text here\n',
  ])('is not entered for %j', source => {
    expect(values(source, 'prompt_line')).toEqual([]);
  });
});
