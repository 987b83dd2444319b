import { describe, expect, it } from 'vitest';
import { CONVERSATION } from './testing/world.ts';
import { cardOf } from './testing/cards.ts';
import { Unanswered } from './unanswered.ts';

const OTHER = 'c_01jz0000000000000000000009' as const;
const yes = { pause: 'p1', act: { do: 'answer', option: 'yes' } } as const;

function lost(): Unanswered {
  const unanswered = new Unanswered();
  unanswered.add({ commandId: 'one', conversation: CONVERSATION, what: { text: 'first' } });
  unanswered.add({ commandId: 'two', conversation: CONVERSATION, what: { text: 'second' } });
  unanswered.add({ commandId: 'three', conversation: CONVERSATION, what: yes });
  return unanswered;
}

describe('commands without an answer', () => {
  it('keep their ids, each its own', () => {
    const unanswered = lost();
    expect(unanswered.idOf(CONVERSATION, { text: 'first' })).toBe('one');
    expect(unanswered.idOf(CONVERSATION, { text: 'second' })).toBe('two');
    expect(unanswered.idOf(CONVERSATION, yes)).toBe('three');
  });

  it.each([
    ['other words', CONVERSATION, { text: 'third' }],
    ['the words elsewhere', OTHER, { text: 'first' }],
    ['another answer', CONVERSATION, { pause: 'p1', act: { do: 'answer', option: 'no' } }],
    ['the answer to another pause', CONVERSATION, { ...yes, pause: 'p2' }],
    ['the answer to a version of a card', CONVERSATION, { ...yes, shown: cardOf().shown }],
  ] as const)('are not taken for %s', (_name, conversation, what) => {
    expect(lost().idOf(conversation, what)).toBeNull();
  });

  it('are forgotten once they were judged, and only they', () => {
    const unanswered = lost();
    expect(unanswered.settle('one')).toMatchObject({ what: { text: 'first' } });
    expect(unanswered.settle('one')).toBeNull();
    expect(unanswered.idOf(CONVERSATION, { text: 'first' })).toBeNull();
    expect(unanswered.idOf(CONVERSATION, { text: 'second' })).toBe('two');
  });
});
