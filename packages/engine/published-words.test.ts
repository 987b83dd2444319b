import { expect, test } from 'vitest';
import { publishedWords } from './published-words.ts';

test('a document is told as its text where it is one, and else as JSON, in the order of the names', () => {
  const artifacts = { note: { text: 'so' }, data: { count: 3, ok: true }, empty: {}, case: { body: 'old' } };
  expect(publishedWords(artifacts, { case: 'the text that counts', gone: '' })).toBe(
    '[hearth] Published as case:\nthe text that counts\n\n' +
      '[hearth] Published as data:\n{"count":3,"ok":true}\n\n' +
      '[hearth] Published as note:\nso\n\n',
  );
  expect(publishedWords({}, {})).toBe('');
});

test('what has no room is left out, and that is said', () => {
  const words = publishedWords({ a: { text: 'x'.repeat(300_000) }, b: { text: 'y' } }, {});
  expect(words.length).toBeLessThan(263_000);
  expect(words).toContain('[hearth] The rest of a is left out.');
  expect(words).toContain('[hearth] The rest of b is left out.');
});
