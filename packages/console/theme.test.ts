import { expect, it } from 'vitest';
import { themeFor } from './theme.ts';

it.each([
  ['NO_COLOR set', { NO_COLOR: '1' }, 'x'],
  ['NO_COLOR empty', { NO_COLOR: '' }, '\u001b[31mx\u001b[39m'],
  ['a dumb terminal', { TERM: 'dumb' }, 'x'],
  ['nothing', {}, '\u001b[31mx\u001b[39m'],
])('with %s', (_name, env, drawn) => {
  expect(themeFor(env).error('x')).toBe(drawn);
});
