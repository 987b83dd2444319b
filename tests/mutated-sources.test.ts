import { expect, test } from 'vitest';
import { everySource, firstMisread, misread, mutated } from './support/mutated-sources.ts';

test('every source of the project is read without loss', () => {
  for (const source of everySource()) expect(misread(source)).toBeUndefined();
});

test('ten thousand mutated sources are read without a throw and without loss', () => {
  expect(firstMisread(1, 10_000)).toBeUndefined();
});

test('a seed gives the same source again, and seeds give many', () => {
  const sources = everySource();
  const some = Array.from({ length: 200 }, (_, seed) => mutated(seed, sources));
  expect(some).toEqual(Array.from({ length: 200 }, (_, seed) => mutated(seed, sources)));
  expect(new Set(some).size).toBeGreaterThan(150);
});
