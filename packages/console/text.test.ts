import { expect, it } from 'vitest';
import { bytes, cleaned, oneLine } from './text.ts';

it('draws tabs as spaces, and nothing that a terminal obeys', () => {
  expect(cleaned('a\tb\u001b[31mc\u200f\r\nd')).toBe('a    bc\nd');
});

it('puts everything on one line', () => {
  expect(oneLine(' a\n\n  b\tc\u009d0;x\u009c ')).toBe('a b c');
});

it.each([
  [12, '12 bytes'],
  [120_000, '117 KiB'],
])('says %i as %s', (count, text) => {
  expect(bytes(count)).toBe(text);
});
