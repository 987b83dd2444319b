import type { EventBody } from '@hearth/protocol/event.ts';
import type { WatchedTicket } from '@hearth/protocol/view.ts';
import { describe, expect, it, test } from 'vitest';
import { foldNow, type Now } from './now.ts';
import { ticketLine, ticketsShown } from './tickets.ts';

const row = (ticket: string, state: string): WatchedTicket => ({ ticket, title: ticket, state });

describe('the watched tickets in one line', () => {
  it.each([
    ['none', [], ''],
    ['those that are done are left out', [row('HB-1', 'done')], ''],
    ['the latest first', [row('HB-1', 'ready'), row('HB-2', 'in_progress')], 'HB-2 in progress, HB-1 ready'],
    [
      'so many, and how many more',
      [row('HB-1', 'ready'), row('HB-2', 'review'), row('HB-3', 'blocked')],
      'HB-3 blocked, HB-2 review, 1 more',
    ],
  ])('%s', (_what, watched, line) => {
    expect(ticketLine(watched, 2)).toBe(line);
  });

  it('counts what is not shown', () => {
    const watched = [row('HB-1', 'ready'), row('HB-2', 'done'), row('HB-3', 'ready')];
    expect(ticketsShown(watched, 1)).toEqual({ shown: [watched[2]], more: 1 });
  });
});

describe('what is known of a watched ticket follows its events', () => {
  const now: Now = {
    title: 'T',
    scope: { kind: 'global' },
    bot: 'b',
    isDefault: true,
    pinned: false,
    run: null,
    turn: null,
    pauses: [],
    queue: [],
    session: null,
    watched: [],
    rules: [],
  };
  const told = (before: Now, body: Partial<EventBody & { type: 'ticket' }>): Now => {
    const event = { v: 1, seq: 1, at: '', type: 'ticket', ticket: 'HB-4', title: 'Tidy' } as const;
    return foldNow(before, { ...event, state: 'ready', change: 'watched', watched: true, ...body }, []);
  };

  test('it is added once and moved afterwards', () => {
    const added = told(now, {});
    expect(added.watched).toEqual([{ ticket: 'HB-4', title: 'Tidy', state: 'ready' }]);
    const moved = told(added, { state: 'review', from: 'ready', change: 'moved' });
    expect(moved.watched).toEqual([{ ticket: 'HB-4', title: 'Tidy', state: 'review' }]);
  });

  test('the same id on another board is another ticket', () => {
    expect(told(told(now, {}), { workspace: '/w' }).watched).toHaveLength(2);
  });

  test('what a tool did to a ticket that nobody watches adds none', () => {
    expect(told(now, { watched: false })).toBe(now);
  });
});
