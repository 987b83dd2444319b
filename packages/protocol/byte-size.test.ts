import { expect, it } from 'vitest';
import { byteSize } from './byte-size.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [256 * 1024 * 1024, '256 MiB'],
  [5 * 1024 ** 4, '5 TiB'],
  [5000 * 1024 ** 4, '5000 TiB'],
])('%i is %s', (bytes, words) => {
  expect(byteSize(bytes)).toBe(words);
});
