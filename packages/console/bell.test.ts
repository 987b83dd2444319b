import type { Pause } from '@hearth/protocol/pause.ts';
import { expect, test } from 'vitest';
import { Bell } from './bell.ts';

const pause = (id: string, kind: Pause['kind'] = 'question'): Pause => ({ id, kind }) as Pause;

test('a pause that opens rings once, and home base never', () => {
  const bell = new Bell();
  bell.open([]);
  expect(bell.rings([pause('p1', 'chat')])).toBe(false);
  expect(bell.rings([pause('p1', 'chat'), pause('p2')])).toBe(true);
  expect(bell.rings([pause('p2')])).toBe(false);
  expect(bell.rings([pause('p2'), pause('p3', 'recovery')])).toBe(true);
  expect(bell.rings([])).toBe(false);
});

test('what was open already rings nothing', () => {
  const bell = new Bell();
  bell.open([pause('p1')]);
  expect(bell.rings([pause('p1')])).toBe(false);
  expect(bell.rings([pause('p1'), pause('p2')])).toBe(true);
});
