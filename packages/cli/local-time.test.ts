import { afterEach, expect, test } from 'vitest';
import { localMinute, localMoment } from './local-time.ts';

const { TZ } = process.env;

afterEach(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

test.each([
  ['UTC', '2026-11-30 23:05', '2026-11-30 23:05:07.009'],
  ['Asia/Tokyo', '2026-12-01 08:05', '2026-12-01 08:05:07.009'],
  ['America/St_Johns', '2026-11-30 19:35', '2026-11-30 19:35:07.009'],
])('a time is told as the clock shows it in %s', (zone, minute, moment) => {
  process.env['TZ'] = zone;
  expect(localMinute('2026-11-30T23:05:07.009Z')).toBe(minute);
  expect(localMoment('2026-11-30T23:05:07.009Z')).toBe(moment);
});

test('what is no time stays as it is', () => {
  expect(localMinute('soon')).toBe('soon');
  expect(localMoment('')).toBe('');
});
