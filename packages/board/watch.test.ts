import { describe, expect, it } from 'vitest';
import { commented, created, moved } from './ticket-change.ts';
import { lookAt } from './watch.ts';

const stamp = { at: '2026-01-01T00:00:00.000Z', by: 'ada' };
const ticket = created('HB-6', { title: 'Door', state: 'ready' }, stamp);
const watched = (seen: number, state: string | null = 'ready') =>
  ({ ticket: 'HB-6', workspace: '/w', state, seen }) as const;

describe('what is new of a watched ticket', () => {
  it('the first look says how it stands, whatever happened before', () => {
    const now = moved(ticket, 'review', stamp);
    expect(lookAt(watched(0, null), now)).toMatchObject({
      found: { title: 'Door', state: 'review', seen: 2 },
      moves: [],
    });
  });

  it('a look afterwards says every move since, in order', () => {
    const now = moved(moved(commented(ticket, 'on it', stamp), 'in_progress', stamp), 'done', stamp);
    expect(lookAt(watched(1), now)).toMatchObject({
      found: { state: 'done', seen: 4 },
      moves: [
        { change: 'moved', from: 'ready', to: 'in_progress' },
        { change: 'closed', from: 'in_progress', to: 'done' },
      ],
    });
  });

  it('a comment is no move', () => {
    expect(lookAt(watched(1), commented(ticket, 'words', stamp))).toBeNull();
  });

  it('a ticket that is not there', () => {
    expect(lookAt(watched(1), null)).toMatchObject({ found: null, moves: [] });
  });
});
