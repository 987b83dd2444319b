import { expect, test } from 'vitest';
import { coerce } from './coercion.ts';
import { durationOf } from './duration.ts';
import { didYouMean } from './nearest.ts';
import type { Type } from './plan.ts';
import type { Value } from './value.ts';

test.each<[Type, string, Value | undefined]>([
  ['string', ' x ', ' x '],
  ['bool', 'Yes', true],
  ['bool', '', false],
  ['bool', 'maybe', undefined],
  ['int', ' -12 ', -12],
  ['int', '1.5', undefined],
  ['int', '99999999999999999999', undefined],
  ['float', '1e3', 1000],
  ['float', '.', undefined],
  ['json', '{"a": [1]}', { a: [1] }],
  ['json', 'null', null],
  ['json', '{', undefined],
  ['string[]', '["a", 1]', ['a', '1']],
  ['string[]', 'a, b', ['a', 'b']],
  ['string[]', ' ', []],
])('as %s: %j', (type, text, expected) => {
  expect(coerce(type, text)).toEqual(expected);
});

test.each([
  ['45m', 2_700_000],
  ['1h30m', 5_400_000],
  ['90s', 90_000],
  ['1.5h', 5_400_000],
  ['250ms', 250],
  ['45', undefined],
  ['-1m', undefined],
  ['soon', undefined],
  ['', undefined],
])('the duration %j', (text, expected) => {
  expect(durationOf(text)).toBe(expected);
});

test.each([
  ['modle', 'did you mean `model`?'],
  ['sesion', 'did you mean `session`?'],
  ['x', undefined],
  ['colour', undefined],
])('near %j', (wrong, expected) => {
  expect(didYouMean(wrong, ['model', 'session', 'backend'])).toBe(expected);
});
