import { expect, test } from 'vitest';
import { isNewEnough, versionOf } from './program-version.ts';

test.each([
  ['2.1.0', true],
  ['2.1.328', true],
  ['2.10.0', true],
  ['3.0.0', true],
  ['2.0.99', false],
  ['1.9.9', false],
])('%s against 2.1.0: %s', (version, enough) => {
  expect(isNewEnough(version, [2, 1, 0])).toBe(enough);
});

test('a program that says none, or is not there, has none', async () => {
  expect(await versionOf(process.execPath, /^v(\d+\.\d+\.\d+)/)).toBe(process.versions.node);
  expect(await versionOf(process.execPath, /^nothing (\d+)/)).toBeNull();
  expect(await versionOf('/no/such/program', /(.)/)).toBeNull();
});
