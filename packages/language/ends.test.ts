import { expect, test } from 'vitest';
import { withoutLeading, withoutTrailing } from './ends.ts';

test.each([
  ['', '', ''],
  ['##', '', ''],
  ['## a #', ' a #', '## a '],
  ['a', 'a', 'a'],
])('%j without its hashes in front is %j, without those at its end %j', (text, front, end) => {
  expect(withoutLeading(text, '#')).toBe(front);
  expect(withoutTrailing(text, '#')).toBe(end);
});

test('ten million of them are taken off, and a run in the middle is nothing', () => {
  const run = '#'.repeat(10_000_000);
  expect(withoutLeading(run, '#')).toBe('');
  expect(withoutTrailing(run, '#')).toBe('');
  expect(withoutTrailing(`a${run}b`, '#')).toHaveLength(run.length + 2);
});
