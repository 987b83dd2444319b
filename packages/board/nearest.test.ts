import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distance, nearest } from './nearest.ts';

test.each([
  ['ready', 'ready', 0],
  ['redy', 'ready', 1],
  ['41', '14', 1],
  ['', 'abc', 3],
  ['review', 'ready', 4],
])('distance(%s, %s) is %i', (a, b, edits) => {
  expect(distance(a, b)).toBe(edits);
});

test('a distance is symmetric and zero only for equal words', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
      expect(distance(a, b)).toBe(distance(b, a));
      expect(distance(a, b) === 0).toBe(a === b);
    }),
  );
});

test('only a slip of the pen has a nearest word', () => {
  expect(nearest('In_Progres', ['inbox', 'in_progress'])).toBe('in_progress');
  expect(nearest('someday', ['inbox', 'done'])).toBeNull();
});
