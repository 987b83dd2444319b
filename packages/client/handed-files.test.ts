import { ATTACHED_COUNT, ATTACHED_LIMIT } from '@hearth/protocol/text.ts';
import { expect, test } from 'vitest';
import { whyNotAttached, withFile, withoutFile } from './handed-files.ts';

const file = (digit: string, name = 'a.txt') =>
  ({ blob: `sha256:${digit.repeat(64)}`, bytes: 1, name, mime: 'text/plain' }) as const;

test('the same bytes under the same name are there once, and are left out alone', () => {
  const files = [file('0'), file('1'), file('0', 'b.txt')].reduce(withFile, []);
  expect(withFile(files, file('0')).map(({ name, blob }) => `${blob.at(-1)} ${name}`)).toEqual([
    '1 a.txt',
    '0 b.txt',
    '0 a.txt',
  ]);
  expect(withoutFile(files, file('0'))).toEqual([file('1'), file('0', 'b.txt')]);
});

test('what is too large or too much is told before it is sent', () => {
  expect(whyNotAttached('a.txt', ATTACHED_LIMIT, ATTACHED_COUNT - 1)).toBeNull();
  expect(whyNotAttached('a\u001b[2J.iso', ATTACHED_LIMIT + 1, 0)).toMatch(/^"\S+iso" is larger than 32 MiB/);
  expect(whyNotAttached('a.txt', 1, ATTACHED_COUNT)).toMatch(/^At most 16 files/);
});
