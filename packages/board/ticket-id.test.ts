import { expect, test } from 'vitest';
import { parseTicketId, unknownTicket } from './ticket-id.ts';

test.each([
  ['HB-4', 'HB-4'],
  ['hb-4', 'HB-4'],
  ['4', 'HB-4'],
  [' 17 ', 'HB-17'],
  ['HB-0', null],
  ['HB-04', null],
  ['-4', null],
  ['HB-4.json', null],
  ['../4', null],
  ['1e3', null],
  ['', null],
])('%j is %s', (text, id) => {
  expect(parseTicketId(text)).toBe(id);
});

test.each([
  ['HB-41', [3, 14, 40, 90], 'There is no ticket HB-41 on this board; the nearest are HB-40, HB-14, HB-3.'],
  ['7', [6], 'There is no ticket HB-7 on this board; the nearest are HB-6.'],
  [
    'login',
    [1, 2, 3, 4],
    '"login" is not a ticket id (ids look like HB-4) on this board; the newest tickets are HB-4, HB-3, HB-2.',
  ],
  ['7', [], 'There is no ticket HB-7; the board is empty.'],
])('%s among %j', (text, known, message) => {
  expect(unknownTicket(text, known)).toMatchObject({ code: 'unknown_ticket', message });
});
