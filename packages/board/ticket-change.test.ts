import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ticket, TicketState } from '@hearth/protocol/ticket.ts';
import { assigned, botSet, commented, created, edited, labelled, moved } from './ticket-change.ts';

const first = { at: '2026-01-01T00:00:00.000Z', by: 'ada' };
const later = { at: '2026-01-02T00:00:00.000Z', by: 'nexie' };
const ticket = created('HB-1', { title: ' Fix login ', labels: ['ui', 'bug', 'ui'], owner: 'ada' }, first);

test('a new ticket is in the inbox, with a set of labels and one line of history', () => {
  expect(ticket).toEqual({
    id: 'HB-1',
    title: 'Fix login',
    body: '',
    state: 'inbox',
    labels: ['bug', 'ui'],
    bot: null,
    owner: 'ada',
    comments: [],
    history: [{ ...first, what: 'created', to: 'inbox' }],
    createdAt: first.at,
    updatedAt: first.at,
  });
});

test.each([
  ['moved', moved(ticket, 'ready', later), { what: 'moved', from: 'inbox', to: 'ready' }],
  ['closed', moved(ticket, 'done', later), { what: 'closed', from: 'inbox', to: 'done' }],
  [
    'reopened',
    moved(moved(ticket, 'done', first), 'backlog', later),
    { what: 'reopened', from: 'done', to: 'backlog' },
  ],
  ['labelled', labelled(ticket, ['ui'], later), { what: 'labelled', from: 'bug, ui', to: 'ui' }],
  ['unlabelled', labelled(ticket, [], later), { what: 'labelled', from: 'bug, ui' }],
  ['assigned', assigned(ticket, 'grace', later), { what: 'assigned', from: 'ada', to: 'grace' }],
  ['unassigned', assigned(ticket, ' ', later), { what: 'assigned', from: 'ada' }],
  ['given a bot', botSet(ticket, 'hello', later), { what: 'bot', to: 'hello' }],
  ['commented', commented(ticket, 'seen', later), { what: 'commented' }],
  [
    'retitled',
    edited(ticket, { title: 'Log in' }, later),
    { what: 'edited', from: 'Fix login', to: 'Log in' },
  ],
  ['rewritten', edited(ticket, { body: 'more' }, later), { what: 'edited' }],
])('%s: the last line of history says so', (_, after, line) => {
  expect(after.history.at(-1)).toEqual({ ...later, ...line });
  expect(after.updatedAt).toBe(later.at);
});

test('what changes nothing returns the same ticket', () => {
  expect(moved(ticket, 'inbox', later)).toBe(ticket);
  expect(labelled(ticket, ['ui', 'bug', 'bug '], later)).toBe(ticket);
  expect(assigned(ticket, 'ada', later)).toBe(ticket);
  expect(botSet(ticket, null, later)).toBe(ticket);
  expect(edited(ticket, { title: 'Fix login', body: '' }, later)).toBe(ticket);
});

test('labels that only look alike when joined are a change', () => {
  expect(labelled(labelled(ticket, ['a, b'], first), ['a', 'b'], later).labels).toEqual(['a', 'b']);
});

test('whatever happens, a ticket stays a ticket and its history only grows', () => {
  const act = fc.oneof(
    fc.constantFrom(...TicketState.options).map(to => (t: Ticket) => moved(t, to, later)),
    fc.array(fc.string()).map(labels => (t: Ticket) => labelled(t, labels, later)),
    fc.option(fc.string()).map(owner => (t: Ticket) => assigned(t, owner, later)),
    fc.option(fc.string()).map(bot => (t: Ticket) => botSet(t, bot, later)),
    fc.string().map(body => (t: Ticket) => commented(t, body, later)),
    fc.string().map(body => (t: Ticket) => edited(t, { body }, later)),
  );
  fc.assert(
    fc.property(fc.array(act), acts => {
      let current = ticket;
      for (const step of acts) {
        const next = step(current);
        expect(next.history.length - current.history.length).toBe(next === current ? 0 : 1);
        expect(next.history.slice(0, current.history.length)).toEqual(current.history);
        expect(Ticket.parse(next)).toEqual(next);
        current = next;
      }
    }),
  );
});
