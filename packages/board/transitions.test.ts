import { describe, expect, test } from 'vitest';
import { TicketState } from '@hearth/protocol/ticket.ts';
import { closedState, isClosed, states, ticketState, transition } from './transitions.ts';

test('done is the only closed state, and closing goes there', () => {
  expect(TicketState.options.filter(isClosed)).toEqual(['done']);
  expect(closedState).toBe('done');
});

test('every state has its own place in the order', () => {
  const orders = TicketState.options.map(state => states[state].order);
  expect(new Set(orders).size).toBe(TicketState.options.length);
});

describe.each(TicketState.options)('from %s', from => {
  test.each(TicketState.options)('to %s', to => {
    const expected = from === to ? null : to === 'done' ? 'closed' : from === 'done' ? 'reopened' : 'moved';
    expect(transition(from, to)).toBe(expected);
  });
});

test.each(['in_progress', 'In progress', ' IN-PROGRESS '])('%j is in_progress', text => {
  expect(ticketState(text)).toBe('in_progress');
});

test('an unknown state is refused with the nearest one and all of them', () => {
  expect(() => ticketState('redy')).toThrow(
    expect.objectContaining({
      code: 'unknown_state',
      message: expect.stringMatching(/blocked\. Did you mean "ready"\?$/),
    }),
  );
  expect(() => ticketState('someday')).toThrow(
    /inbox, backlog, ready, in_progress, awaiting_input, review, done, blocked\.$/,
  );
});
