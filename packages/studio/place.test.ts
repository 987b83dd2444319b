import { expect, test } from 'vitest';
import { fragmentOf, readPlace } from './place.ts';

const ID = `c_${'0'.repeat(26)}` as const;

test.each([
  ['', { code: null, conversation: null }],
  [`#${ID}`, { code: null, conversation: ID }],
  ['#login=abc', { code: 'abc', conversation: null }],
  [`#login=abc&conversation=${ID}`, { code: 'abc', conversation: ID }],
  ['#login=abc&conversation=nonsense', { code: 'abc', conversation: null }],
  ['#c_nonsense', { code: null, conversation: null }],
  ['#user-content-fn-1', { code: null, conversation: null }],
])('%j names a place', (fragment, place) => {
  expect(readPlace(fragment)).toEqual(place);
});

test('a conversation is found again by its fragment', () => {
  expect(readPlace(fragmentOf(ID)).conversation).toBe(ID);
  expect(fragmentOf(null)).toBe('');
});
