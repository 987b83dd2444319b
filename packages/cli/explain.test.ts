import { EXPLANATIONS } from '@hearth/language/codes/explanations.ts';
import { expect, test } from 'vitest';
import { typed } from './testing/typed.ts';

const explained = (...words: readonly string[]): ReturnType<typeof typed> =>
  typed(['explain', ...words], '/');

test('tells what a code means, how to mend it, and shows both', async () => {
  const ran = await explained('C012');
  expect(ran).toMatchObject({ code: 0, err: '' });
  expect(ran.out).toMatch(/^C012 error: .+\n\nTo mend it: .+\.\n\nWrong:\n\n {4}schema/);
  expect(ran.out).toMatch(/\nRight:\n\n {4}schema/);
  expect((await explained('c12')).out).toBe(ran.out);
});

test('a code of another file of a bundle shows that file', async () => {
  expect((await explained('H202')).out).toMatch(/\nWrong, in manifest\.yaml:\n/);
});

test('as JSON', async () => {
  const found = EXPLANATIONS.find(one => one.code === 'E020');
  expect(JSON.parse((await explained('e020', '--json')).out)).toEqual(found);
  expect(JSON.parse((await explained('--json')).out)).toEqual(EXPLANATIONS);
});

test('without a code, lists all of them', async () => {
  const { out } = await explained();
  expect(out.trim().split('\n')).toHaveLength(EXPLANATIONS.length);
  expect(out).toMatch(/^E001 +error +\S/);
});

test.each([
  ['C998', /C\d{3} \(.+\), C\d{3} \(.+\)/],
  ['E013', /E01\d \(.+\)/],
  ['what', /hearth explain/],
])('the unknown code %s is told of others', async (code, sentence) => {
  const ran = await explained(code);
  expect(ran).toMatchObject({ code: 64, out: '' });
  expect(ran.err).toMatch(sentence);
});
