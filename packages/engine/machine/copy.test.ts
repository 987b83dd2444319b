import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyOf } from './copy.ts';

/** Every object and array within. */
function partsOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(partsOf)];
}

test('a copy equals its original and shares no part of it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const copy = copyOf(value);
      expect(copy).toStrictEqual(structuredClone(value));
      const parts = new Set(partsOf(value));
      expect(partsOf(copy).filter(part => parts.has(part))).toEqual([]);
    }),
  );
});

test('a name that means something to objects is a name like any other', () => {
  const value: unknown = JSON.parse('{"__proto__": {"polluted": true}, "constructor": [1]}');
  const copy = copyOf(value);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
  expect(copy).not.toHaveProperty('polluted');
});

test('a property that is there without a value stays there', () => {
  expect(Object.keys(copyOf({ a: undefined }))).toEqual(['a']);
});
