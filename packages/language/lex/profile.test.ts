import { expect, test } from 'vitest';
import { tokensOf } from './lexer.ts';
import { profileOf } from './profile.ts';

test.each([
  ['', 1],
  ['agent a:\n', 1],
  ['dsl: 1\n', 1],
  ['dsl: 2\n', 2],
  ['\ufeffdsl: 2', 2],
  ['# one\r\n\n  ## two\r\ndsl : 2', 2],
  ['dsl: 9\n', 2],
  ['  dsl: 2\n', 1],
  ['dsl:\n  2', 1],
  ['vars:\n  x: int\ndsl: 2\n', 1],
  ['dslx: 2\n', 1],
])('the profile of %j is %i', (source, profile) => {
  expect(profileOf(source)).toBe(profile);
});

const errors = (source: string): readonly string[] =>
  tokensOf(source).flatMap(token => (token.kind === 'error' ? [`${token.text}|${token.code ?? ''}`] : []));

test('profile 2 knows comments with one `#`, dashes and escapes', () => {
  const source = 'dsl: 2 # note\nx:\n  - "a\\"b\\n" # note\n';
  expect(tokensOf(source).map(token => token.kind)).toEqual(
    'word mark int comment word mark newline indent mark string comment dedent eof'.split(' '),
  );
  expect(tokensOf(source).find(token => token.kind === 'string')?.value).toBe('a"b\n');
});

test('what is wrong in a text has a code of its own in profile 2 only', () => {
  const source = '## strict-escape: on\nx "\\q" "open\n\tx\n';
  expect(errors(source)).toEqual(['"\\q"|', '"open|', '\tx\n|']);
  expect(errors(`dsl: 2\n${source}`).map(one => one.split('|')[1])).toEqual(['E005', 'E004', 'E003']);
});

test('a source may begin with millions of blank lines', () => {
  expect(profileOf(`${'\n'.repeat(8_000_000)}dsl: 2\n`)).toBe(2);
});
