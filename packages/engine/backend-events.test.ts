import { expect, test } from 'vitest';
import { shortened } from './backend-events.ts';

test('a session that became shorter says by how much, where the backend counts messages', () => {
  expect(shortened({ type: 'compacted', kept: 6, dropped: 40 })).toEqual({
    change: 'compacted',
    reason: 'a summary stands for 40 earlier messages, the latest 6 stay as they are',
  });
  expect(shortened({ type: 'compacted', kept: 0, dropped: 150_000 })).toEqual({ change: 'compacted' });
});
