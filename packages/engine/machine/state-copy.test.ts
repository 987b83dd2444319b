import { expect, test } from 'vitest';
import { initialState, type QueuedMessage, type State } from '../state.ts';
import { stateCopy } from './state-copy.ts';

const by = { kind: 'person', name: 'ada', surface: 'test' } as const;
const at = '2026-01-01T00:00:00.000Z';

function message(nth: number): QueuedMessage {
  return {
    id: `m${nth}`,
    turn: `t${nth}`,
    text: `words ${nth}`,
    delivery: 'queue',
    by,
    at,
    workspace: null,
    commandId: `c${nth}`,
  };
}

function busy(): State {
  const state = initialState();
  state.inbox.push(message(1), message(2));
  state.machine.closed.push({ pause: 'p1', how: 'answered', by, at });
  state.ledgers.warned.push('burst.cost');
  return state;
}

test('what is done to a copy is not done to its original', () => {
  const original = busy();
  const copy = stateCopy(original);
  expect(copy).toStrictEqual(original);
  copy.inbox.push(message(3));
  copy.inbox.shift();
  copy.machine.closed.splice(0, 1);
  copy.ledgers.warned.push('burst.turns');
  copy.ledgers.burst.activeMs += 1;
  copy.counters.message += 1;
  expect(original).toStrictEqual(busy());
});

test('a copy is written down as its original is', () => {
  expect(JSON.stringify(stateCopy(busy()))).toBe(JSON.stringify(busy()));
});

test('a message that waits is not copied again for each that follows', () => {
  const original = busy();
  const copy = stateCopy(original);
  expect(copy.inbox[0]).toBe(original.inbox[0]);
  expect(copy.machine.closed[0]).toBe(original.machine.closed[0]);
});
