import { describe, expect, test } from 'vitest';
import {
  type Happening,
  type State,
  states,
  stateOf,
  inState,
  walk,
} from '../../scripts/docs/transitions.ts';

/* The protocol's transition table, by the numbers of its rows, and what holds of everything that happens in every state. */

const all = walk();

/** By the number of the row: in which state, what happens, and where that leads. */
const ROWS: readonly (readonly [string, State, Happening, State])[] = [
  ['T1', 'idle', 'message', 'interpreting'],
  ['T1b and T1c', 'interpreting', 'refuses or answers at once', 'idle'],
  ['T2', 'interpreting', 'draft', 'reviewing the interpretation'],
  ['T2 of a revision', 'interpreting anew', 'draft', 'reviewing the interpretation'],
  ['T3x', 'interpreting anew', 'fails', 'draft cut short'],
  ['T4', 'reviewing the interpretation', 'revise', 'interpreting anew'],
  ['T5', 'reviewing the interpretation', 'confirm', 'planning'],
  ['T6', 'reviewing the interpretation', 'stop', 'idle'],
  ['T6 while it is drafted', 'interpreting anew', 'stop', 'idle'],
  ['T7', 'reviewing the interpretation', 'words: about the approach', 'reviewing the interpretation'],
  ['T8', 'planning', 'draft', 'reviewing the plan'],
  ['T9', 'reviewing the plan', 'revise', 'planning anew'],
  ['T10', 'reviewing the plan', 'change_request', 'interpreting'],
  ['T11', 'reviewing the plan', 'confirm_standard', 'executing'],
  ['T12', 'reviewing the plan', 'confirm_pseudocode', 'executing'],
  ['T13', 'reviewing the plan', 'stop', 'idle'],
  ['T14', 'executing', 'result is given', 'idle'],
  ['T15', 'executing', 'asks for data', 'waiting for data'],
  ['T16', 'executing', 'is blocked', 'idle'],
  ['T19', 'waiting for data', 'data is given', 'executing'],
  ['T20', 'waiting for data', 'change_request', 'interpreting'],
  ['T21', 'waiting for data', 'stop', 'idle'],
  ['T22 at the interpretation', 'reviewing the interpretation', 'words: a new task', 'interpreting'],
  ['T22 at the plan', 'reviewing the plan', 'words: a new task', 'interpreting'],
  ['T23', 'reviewing the plan', 'words: about the notation', 'reviewing the plan'],
  ['T24', 'reviewing the plan', 'words: about the result', 'reviewing the plan'],
  ['T25', 'reviewing the interpretation', 'words: not clear', 'reviewing the interpretation'],
  ['T27', 'executing', 'ends after an interrupt', 'idle'],
  ['T28', 'executing', 'crash', 'execution cut short'],
  ['T29', 'execution cut short', 'choose it_happened', 'idle'],
  ['T30', 'execution cut short', 'choose again', 'executing'],
  ['T32, again', 'draft cut short', 'choose again', 'interpreting'],
  ['T32, withdraw', 'draft cut short', 'choose withdraw', 'reviewing the interpretation'],
  ['T32, stop', 'draft cut short', 'choose stop', 'idle'],
  ['3.4 at the interpretation', 'reviewing the interpretation', 'confirm with words', 'interpreting anew'],
  ['precedence', 'reviewing the plan', 'words: a change of the task', 'interpreting'],
];

test.each(ROWS)('%s: %s, %s, leads to %s', (_row, from, happening, to) => {
  expect(all.find(one => one.from === from && one.happening === happening)).toMatchObject({
    said: 'accepted',
    to,
  });
});

/** What is refused, and how. */
const REFUSED: readonly (readonly [string, State, Happening, string])[] = [
  ['T26', 'reviewing the plan', 'blank words', 'feedback_required'],
  ['T4 without words', 'reviewing the interpretation', 'revise without words', 'feedback_required'],
  ['3.3', 'interpreting anew', 'confirm', 'busy'],
  ['3.3', 'reviewing the plan', 'confirm an older version', 'stale_version'],
  ['3.4', 'reviewing the plan', 'confirm with words', 'kind_required'],
  ['20.3', 'idle', 'confirm', 'wrong_state'],
  ['20.4', 'waiting for data', 'confirm', 'wrong_state'],
  ['no interrupt decides', 'reviewing the plan', 'interrupt', 'wrong_state'],
];

test.each(REFUSED)('%s: %s, %s, is refused with %s', (_row, from, happening, said) => {
  expect(all.find(one => one.from === from && one.happening === happening)).toMatchObject({ said, to: from });
});

describe('whatever happens in whatever state', () => {
  test('every state can be brought about, and is told from the others', () => {
    expect(states().map(state => stateOf(inState(state)))).toEqual(states());
  });

  test('it leads to one of the states, and what is refused changes nothing', () => {
    expect(all.filter(one => one.to === 'elsewhere')).toEqual([]);
    expect(all.filter(one => one.said !== 'accepted' && one.to !== one.from)).toEqual([]);
  });

  test('executing is come to only by confirming the plan, giving data, or taking up what was cut short', () => {
    const ways = all
      .filter(one => one.to === 'executing' && one.from !== 'executing')
      .map(one => one.happening);
    expect(new Set(ways)).toEqual(
      new Set([
        'confirm_standard',
        'confirm_pseudocode',
        'words: agreement',
        'data is given',
        'choose again',
      ]),
    );
  });

  test('home can be come to from every state', () => {
    const home = new Set<State>(['idle']);
    for (let before = 0; before !== home.size; ) {
      before = home.size;
      for (const { from, to, said } of all)
        if (said === 'accepted' && to !== 'elsewhere' && home.has(to)) home.add(from);
    }
    expect(states().filter(state => !home.has(state))).toEqual([]);
  });

  test('a late draft is taken nowhere', () => {
    expect(all.filter(one => one.happening === 'a late draft' && one.to !== one.from)).toEqual([]);
  });
});
