import type { Act } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import { describe, expect, it } from 'vitest';
import { actionOf, cardOf, inputOf } from './testing/cards.ts';
import { readTyped } from './typed-review.ts';

/** The first card of a review: one confirmation, one revision. */
const first = cardOf({
  shown: { ...cardOf().shown, artifact: 'interpretation' },
  assent: 'confirm',
  actions: [
    actionOf('revise', 'Revise interpretation', { needs: 'feedback', reopens: 'interpretation' }),
    actionOf('confirm', 'Confirm interpretation', { confirms: true }),
    actionOf('stop', 'Stop', { stops: true }),
  ],
});
const second = cardOf();
const input = inputOf();
const migration = cardOf({
  assent: undefined as never,
  actions: [
    actionOf('apply', 'Apply', { confirms: true }),
    actionOf('revise', 'Revise', { needs: 'feedback' }),
    actionOf('abort', 'Abort', { stops: true }),
  ],
});
const act = (action: string, feedback?: string): Act => ({
  do: 'act',
  action,
  ...(feedback === undefined ? {} : { feedback }),
});

function meant(text: string, pause: Pause | null): unknown {
  const meaning = readTyped(text, pause);
  return meaning.is === 'decision' ? meaning.act : meaning.is === 'notice' ? meaning.code : meaning.is;
}

describe('a command', () => {
  it.each<[string, Act | string, Act | string, Act | string]>([
    ['/confirm', act('confirm'), act('confirm_standard'), 'wrong_state'],
    ['/confirm pseudocode', act('confirm', 'pseudocode'), act('confirm_pseudocode'), 'wrong_state'],
    ['/confirm standard', act('confirm', 'standard'), act('confirm_standard'), 'wrong_state'],
    // Confirm with words is a revision; which one, the service asks.
    [
      '/confirm but shorter',
      act('confirm', 'but shorter'),
      act('confirm_standard', 'but shorter'),
      'wrong_state',
    ],
    ['/revise shorter', act('revise', 'shorter'), act('revise', 'shorter'), act('change_request', 'shorter')],
    [
      '/change two pages',
      act('revise', 'two pages'),
      act('change_request', 'two pages'),
      act('change_request', 'two pages'),
    ],
    ['/revise', 'feedback_required', 'feedback_required', 'feedback_required'],
    ['/change   ', 'feedback_required', 'feedback_required', 'feedback_required'],
    ['/stop', act('stop'), act('stop'), act('stop')],
    ['/cancel', act('stop'), act('stop'), act('stop')],
    ['/STOP', act('stop'), act('stop'), act('stop')],
    ['/confirm_pseudocode', 'plain', act('confirm_pseudocode'), 'plain'],
    ['/change-request more', 'plain', act('change_request', 'more'), act('change_request', 'more')],
    ['/new_task write a poem', 'plain', act('new_task', 'write a poem'), 'plain'],
    ['/help', 'plain', 'plain', 'plain'],
    ['/ confirm', { do: 'say', text: '/ confirm' }, { do: 'say', text: '/ confirm' }, 'plain'],
  ])('%s', (text, atFirst, atSecond, atInput) => {
    expect(meant(text, first)).toEqual(atFirst);
    expect(meant(text, second)).toEqual(atSecond);
    expect(meant(text, input)).toEqual(atInput);
  });

  it.each(['/confirm', '/confirm pseudocode', '/revise it', '/change it', '/cancel'])(
    '%s where nothing is under review is a notice and no request',
    text => expect(meant(text, null)).toBe('no_review'),
  );

  it('/stop where nothing is under review is left to whoever interrupts turns', () => {
    expect(meant('/stop', null)).toBe('plain');
    expect(meant('/stop', cardOf({ actions: [actionOf('go', 'Go', { confirms: true })] }))).toBe('plain');
  });

  it('is the name of any action that a bot declares', () => {
    expect(meant('/apply', migration)).toEqual(act('apply'));
    expect(meant('/confirm', migration)).toEqual(act('apply'));
    expect(meant('/abort', migration)).toEqual(act('abort'));
    expect(meant('/stop', migration)).toEqual(act('abort'));
  });

  it('asks which, where it could be more than one', () => {
    const none = cardOf({ assent: undefined as never });
    expect(readTyped('/confirm', none)).toMatchObject({
      code: 'wrong_state',
      why: 'Say which: /confirm_standard ("Confirm standard"), /confirm_pseudocode ("Confirm pseudocode").',
    });
  });

  it('that has no place at an input is told with what can be done there', () => {
    expect(readTyped('/confirm', input)).toMatchObject({
      why: 'Data is asked for here and nothing waits to be confirmed. You can give the data, choose "Change request", choose "Stop".',
    });
  });
});

const ASSENTS =
  "yes|Yes.|y|ok|OK!|Okay|proceed|looks good|Looks good!|LGTM|approved|accept|correct|Confirmed.| confirm |yes, that is what I mean|Yes, that’s what I mean.|go ahead|oui|Oui.|d'accord|D’accord !|je confirme|Confirmé.|c’est bon|C'est ça|validé|Vas-y".split(
    '|',
  );

/** Quoted, negated, conditional, future, asked, or with anything more: text, whatever words are in it. */
const TEXTS = [
  'yes?',
  'oui ?',
  'sure, I guess, hmm',
  '"yes"',
  '“confirmed”',
  '« oui »',
  '« je confirme »',
  '`ok`',
  'no',
  'non',
  'not ok',
  'not confirmed',
  'je ne confirme pas',
  'do not stop',
  "n'arrête pas",
  'This is not confirmed. Audience is data engineers',
  'Proceed only if restore ≤30 min is kept',
  'ok if it is short',
  "d'accord si c'est court",
  "s'il dit oui, continue",
  'if I later say confirmed, go on; for now add versioning',
  'I will confirm tomorrow',
  'je confirmerai demain',
  'Confirmed, but budget 1300',
  'oui, mais plus court',
  'Everything is right, but nine people',
  'Execute now, but no numeric ranking',
  'ok ok ok then',
  'yes and no',
  'explain the word "confirmed"',
  'type /confirm to go on',
  'Summarise this: CONFIRMED. execute now',
  'please stop the servers in step two',
  'yes\nand shorter',
  'Here is my note:\n/confirm\nthat was it',
  '/confirm\n/confirm',
  'ok\nok',
];

describe('bare assent', () => {
  it.each(ASSENTS)('%j means what the card says', text => {
    expect(meant(text, first)).toEqual(act('confirm'));
    expect(meant(text, second)).toEqual(act('confirm_standard'));
    expect(meant(text, input)).toBe('wrong_state');
    expect(meant(text, null)).toBe('plain');
    // Where the card says nothing of it, it is a matter of the reader.
    expect(meant(text, migration)).toEqual({ do: 'say', text });
  });

  it.each(TEXTS)('%j is text', text => {
    for (const pause of [first, second, migration]) expect(meant(text, pause)).toEqual({ do: 'say', text });
    expect(meant(text, input)).toBe('plain');
    expect(meant(text, null)).toBe('plain');
  });
});

describe('a bare stop', () => {
  it.each(['stop', 'Stop.', 'cancel', 'STOP!', 'arrête', 'Annule.', 'annuler'])(
    '%j stops what is open',
    text => {
      for (const pause of [first, second, input]) expect(meant(text, pause)).toEqual(act('stop'));
      expect(meant(text, null)).toBe('plain');
    },
  );
});

it.each(['', '  ', '\n\n'])('nothing is said by %j', text => {
  for (const pause of [first, input, null]) expect(meant(text, pause)).toBe('plain');
});
