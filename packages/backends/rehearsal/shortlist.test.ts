import { TicketState } from '@hearth/protocol/ticket.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoardTicket } from './board-reading.ts';
import { isBlocked, quickWin } from './quick-win.ts';
import { shortlist } from './shortlist.ts';
import { ticket as staged } from '../testing/stage.ts';

function ticket(number: number, title: string, more: Partial<BoardTicket> = {}): BoardTicket {
  return { ...staged(number, title), comments: [], ...more };
}

describe('a quick win is small', () => {
  test.each([
    ['a size label', { labels: ['size:S'] }, 'size_label'],
    ['a label of its own making', { labels: ['good first issue'] }, 'size_label'],
    ['a French size label', { labels: ['Facile'] }, 'size_label'],
    ['a telling word', { title: 'Fix typo in the footer' }, 'small_word'],
    ['an estimate', { body: 'Should take 30 minutes.' }, 'small_word'],
    ['few story points', { labels: ['2 points'] }, 'size_label'],
    ['few points in its text', { body: 'Estimated: 1 pt' }, 'small_word'],
  ])('%s', (_, more, reason) => {
    const one = ticket(1, 'Footer link', more);
    expect(quickWin(one, [one])?.reasons[0]).toMatchObject({ is: reason });
  });
  test.each([
    ['a large label', { labels: ['small', 'epic'] }],
    ['a size label of the other end', { labels: ['size/XL'] }],
    ['words of a large job', { title: 'Rewrite the renderer' }],
    ['French words of a large job', { title: 'Refonte du moteur' }],
    ['story points', { labels: ['13 points'] }],
    ['points without a space', { labels: ['5pts'] }],
    ['points in its text', { body: 'Estimated at 8 points.' }],
    ['a title that speaks of the whole', { title: 'Repaint the whole greenhouse' }],
    ['a title that speaks of everything', { title: 'Traduire toutes les pages' }],
    ['words of a migration', { title: 'Migrate the login to OAuth' }],
    ['many steps', { body: '- a\n- b\n- c\n- d' }],
    ['a long text', { body: 'word '.repeat(80) }],
  ])('not with %s', (_, more) => {
    const one = ticket(1, 'Footer link', more);
    expect(quickWin(one, [one])).toBeNull();
  });
});

test.each(['Implement plate solving', 'Footer link'])('a short text is no evidence of a size: %s', title => {
  const one = ticket(1, title, { body: 'The link is wrong.' });
  expect(quickWin(one, [one])?.reasons[0]).toEqual({ is: 'no_size' });
  const sized = [one, ticket(2, 'Fix typo', { state: 'inbox' })];
  expect(shortlist(sized, sized, 'quick_win')[0]?.ticket.id).toBe('HB-2');
});

describe('a quick win is open, not begun and unblocked', () => {
  test.each(['in_progress', 'review', 'done', 'blocked'] as const)('not in %s', state => {
    const one = ticket(1, 'Footer', { state, labels: ['xs'] });
    expect(quickWin(one, [one])).toBeNull();
  });
  test.each([
    ['Blocked by HB-2.', true],
    ['blocked by HB-3', false],
    ['Depends on hb-2', true],
    ['Depends on HB-3 and HB-2', true],
    ['depends on the weather', false],
    ['waiting for the vendor', true],
    ['Bloqué par HB-2', true],
    ['Dépend de HB-2', true],
    ['en attente de la réponse du client', true],
    ['Needs HB-77', true],
    ['Unblocks HB-2', false],
    ['', false],
  ])('%s', (body, blocked) => {
    const one = ticket(1, 'Footer', { body });
    expect(isBlocked(one, [one, ticket(2, 'Open'), ticket(3, 'Done', { state: 'done' })])).toBe(blocked);
  });
  test.each(['blocked', 'Waiting', 'on-hold', 'bloqué', 'en attente'])('the label %s blocks', label => {
    expect(isBlocked(ticket(1, 'Footer', { labels: [label] }), [])).toBe(true);
  });
});

describe('the order is by what the board says', () => {
  test.each([
    ['a size label before a short text', [ticket(1, 'A'), ticket(2, 'B', { labels: ['xs'] })], 'HB-2'],
    [
      'urgent before ready',
      [ticket(1, 'A', { state: 'ready' }), ticket(2, 'B', { labels: ['urgent'] })],
      'HB-2',
    ],
    ['ready before backlog', [ticket(1, 'A'), ticket(2, 'B', { state: 'ready' })], 'HB-2'],
    ['the older one among equals', [ticket(12, 'A'), ticket(9, 'B')], 'HB-9'],
  ])('%s', (_, board, pick) => {
    expect(shortlist(board, board, 'quick_win')[0]?.ticket.id).toBe(pick);
  });
  test('next: what waits for review comes first, what is in progress not at all', () => {
    const board = [
      ticket(1, 'A', { state: 'in_progress' }),
      ticket(2, 'B', { state: 'ready' }),
      ticket(3, 'C', { state: 'review' }),
    ];
    expect(shortlist(board, board, 'next').map(one => one.ticket.id)).toEqual(['HB-3', 'HB-2']);
  });
});

/** Boards of any shape. */
export const boards: fc.Arbitrary<BoardTicket[]> = fc
  .array(
    fc.record({
      title: fc.oneof(
        fc.string({ maxLength: 60 }),
        fc.constantFrom('Fix typo', 'Rewrite it all', 'Export invoices'),
      ),
      state: fc.constantFrom(...TicketState.options),
      labels: fc.array(fc.constantFrom('xs', 'epic', 'blocked', 'urgent', 'bug', 'ui'), { maxLength: 3 }),
      body: fc.oneof(
        fc.string({ maxLength: 80 }),
        fc.constantFrom('Blocked by HB-1', 'depends on HB-2', '- a\n- b\n- c\n- d'),
      ),
    }),
    { maxLength: 30 },
  )
  .map(rows => rows.map(({ title, ...more }, at) => ticket(at + 1, title, more)));

describe('whatever the board', () => {
  test.each(['quick_win', 'next'] as const)(
    '%s: at most three, the pick among them, each with reasons, none blocked or done',
    aim => {
      fc.assert(
        fc.property(boards, board => {
          const list = shortlist(board, board, aim);
          expect(list.length).toBeLessThanOrEqual(3);
          for (const { ticket: one, reasons } of list) {
            expect(reasons.length).toBeGreaterThan(0);
            expect(['done', 'blocked']).not.toContain(one.state);
            expect(isBlocked(one, board)).toBe(false);
          }
          expect(shortlist(board.toReversed(), board, aim)).toEqual(list);
        }),
      );
    },
  );
});
