import { expect, test } from 'vitest';
import { expand } from './choice.ts';

test.each([
  ['${MODEL:-auto}', {}, 'auto'],
  ['${MODEL:-auto}', { MODEL: 'big' }, 'big'],
  ['${MODEL:-auto}', { MODEL: '' }, 'auto'],
  ['${MODEL}', {}, ''],
  ['a-${X:-b}-${Y:-c}', { Y: 'd' }, 'a-b-d'],
  ['no variable', { MODEL: 'big' }, 'no variable'],
  ['$MODEL ${1} {MODEL}', { MODEL: 'big' }, '$MODEL ${1} {MODEL}'],
])('%s with %j is %s', (text, env, expanded) => {
  expect(expand(text, env)).toBe(expanded);
});
