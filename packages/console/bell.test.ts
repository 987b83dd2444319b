import type { Pause } from '@hearth/protocol/pause.ts';
import { expect, test } from 'vitest';
import { Bell } from './bell.ts';

const pause = (id: string, kind: Pause['kind'] = 'question'): Pause => ({ id, kind, shown: {} }) as Pause;

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

test('another version of a card rings, and the same one in other words does not', () => {
  const card = (version: number): Pause => ({ ...pause('p1', 'card'), shown: { version } }) as Pause;
  const bell = new Bell();
  bell.open([card(1)]);
  // While the next one is made nobody is waited for.
  expect(bell.rings([])).toBe(false);
  expect(bell.rings([card(2)])).toBe(true);
  expect(bell.rings([card(2)])).toBe(false);
});
