import type { Decision } from '@hearth/protocol/decision.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Docket } from './docket.ts';
import { judgeDecision, judgeRepeat } from './judge.ts';

const person = { kind: 'person', name: 'ada', surface: 'console' } as const;
const base = {
  run: 'r1',
  turn: 't1',
  node: 'n',
  branch: null,
  openedAt: '2026-01-01T00:00:00.000Z',
  text: '?',
} as const;
const digest = `sha256:${'a'.repeat(64)}` as const;

const chat: Pause = { ...base, id: 'p1', kind: 'chat', quickReplies: [] };
const question: Pause = {
  ...base,
  id: 'p2',
  kind: 'question',
  asker: 'agent',
  blocking: true,
  options: [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ],
  allowFreeText: false,
};
const open: Pause = { ...question, id: 'p3', options: [], allowFreeText: true };
const input: Pause = {
  ...base,
  id: 'p4',
  kind: 'input',
  fields: {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  },
  actions: [],
};
const card: Pause = {
  ...base,
  id: 'p5',
  kind: 'card',
  status: 'shown',
  shown: { artifact: 'approach', version: 3, digest },
  from: [],
  findings: [],
  earlier: [],
  actions: [
    { name: 'confirm', label: 'Confirm', needs: 'nothing', confirms: true, enabled: true, button: true },
    { name: 'revise', label: 'Revise', needs: 'feedback', confirms: false, enabled: true, button: true },
    { name: 'stop', label: 'Stop', needs: 'nothing', confirms: false, enabled: true, button: true },
  ],
};
const drafting: Pause = { ...card, id: 'p6', status: 'drafting' };
const recovery: Pause = {
  ...base,
  id: 'p7',
  kind: 'recovery',
  cause: 'interrupted',
  code: 'interrupted',
  detail: '',
  choices: [{ id: 'again', label: 'Again' }],
  unseen: [],
};

const docket: Docket = {
  open: [chat, question, open, input, card, drafting, recovery],
  closed: [
    { pause: 'p8', how: 'answered', by: { ...person, name: 'bob' }, option: 'yes', at: base.openedAt },
  ],
  lastPause: 9,
  stops: (_pause, action) => action === 'stop',
  revises: (_pause, action) => action === 'revise',
  reads: () => true,
  altered: () => false,
};

const decide = (pause: Decision['pause'], act: Decision['act'], more: Partial<Decision> = {}): Decision => ({
  commandId: '0123456789abcdef',
  pause,
  act,
  actor: person,
  ...more,
});
const shown = { artifact: 'approach', version: 3 };

const cases: readonly (readonly [string, Decision, string])[] = [
  ['a pause that never was', decide('p10', { do: 'answer', option: 'yes' }), 'unknown_pause'],
  ['one closed lately', decide('p8', { do: 'answer', option: 'no' }), 'closed'],
  ['one closed long ago', decide('p9', { do: 'answer', option: 'no' }), 'closed'],
  ['an answer to a chat pause', decide('p1', { do: 'answer', text: 'hi' }), 'wrong_state'],
  ['a cancel of a recovery', decide('p7', { do: 'cancel' }), 'wrong_state'],
  ['a cancel of data that an execution lacks', decide('p4', { do: 'cancel' }), 'wrong_state'],
  ['an action that a card has not', decide('p5', { do: 'act', action: 'nope' }, shown), 'wrong_state'],
  ['a card being redrafted', decide('p6', { do: 'act', action: 'confirm' }, shown), 'busy'],
  [
    'another artifact',
    decide('p5', { do: 'act', action: 'confirm' }, { artifact: 'x', version: 3 }),
    'wrong_artifact',
  ],
  ['no version', decide('p5', { do: 'act', action: 'confirm' }, { artifact: 'approach' }), 'stale_version'],
  [
    'an older version',
    decide('p5', { do: 'act', action: 'confirm' }, { artifact: 'approach', version: 2 }),
    'stale_version',
  ],
  [
    'another digest',
    decide('p5', { do: 'act', action: 'confirm' }, { ...shown, digest: `sha256:${'b'.repeat(64)}` }),
    'digest_mismatch',
  ],
  [
    'a bot that decides',
    decide('p2', { do: 'answer', option: 'yes' }, { actor: { ...person, kind: 'bot' } }),
    'not_permitted',
  ],
  [
    'a policy that decides',
    decide('p2', { do: 'answer', option: 'yes' }, { actor: { ...person, kind: 'policy' } }),
    'not_permitted',
  ],
  [
    'a revision without words',
    decide('p5', { do: 'act', action: 'revise', feedback: ' ' }, shown),
    'feedback_required',
  ],
  ['an unknown option', decide('p2', { do: 'answer', option: 'z' }), 'invalid_choice'],
  ['an empty answer', decide('p2', { do: 'answer' }), 'invalid_choice'],
  ['an empty option', decide('p2', { do: 'answer', option: '' }), 'invalid_choice'],
  ['free text where none is allowed', decide('p2', { do: 'answer', text: 'yes' }), 'invalid_choice'],
  ['blank free text', decide('p3', { do: 'answer', text: '  ' }), 'invalid_choice'],
  ['no fields', decide('p4', { do: 'answer' }), 'invalid_choice'],
  ['fields of the wrong type', decide('p4', { do: 'answer', fields: { n: 'x' } }), 'invalid_choice'],
  ['a fraction for an integer', decide('p4', { do: 'answer', fields: { n: 1.5 } }), 'invalid_choice'],
  ['a recovery without a choice', decide('p7', { do: 'answer', text: 'again' }), 'invalid_choice'],
];

const accepted: readonly (readonly [string, Decision, string])[] = [
  ['an option', decide('p2', { do: 'answer', option: 'yes' }), 'answered'],
  ['free text', decide('p3', { do: 'answer', text: 'blue' }), 'answered'],
  ['fitting fields', decide('p4', { do: 'answer', fields: { n: 4 } }), 'answered'],
  ['a confirmation', decide('p5', { do: 'act', action: 'confirm' }, shown), 'confirmed'],
  ['a revision', decide('p5', { do: 'act', action: 'revise', feedback: 'shorter' }, shown), 'revised'],
  [
    'a confirmation with feedback',
    decide('p5', { do: 'act', action: 'confirm', feedback: 'shorter' }, shown),
    'revised',
  ],
  [
    'a stop of an old version',
    decide('p5', { do: 'act', action: 'stop' }, { artifact: 'approach', version: 1 }),
    'stopped',
  ],
  ['a stop while it is redrafted', decide('p6', { do: 'act', action: 'stop' }, shown), 'stopped'],
  ['a withdrawal', decide('p2', { do: 'cancel' }), 'cancelled'],
  ['a recovery choice', decide('p7', { do: 'answer', option: 'again' }), 'answered'],
];

describe('judgeDecision', () => {
  it.each(cases)('refuses %s', (_name, decision, code) => {
    expect(judgeDecision(docket, decision)).toMatchObject({ refused: { code } });
  });

  it.each(accepted)('accepts %s', (_name, decision, as) => {
    expect(judgeDecision(docket, decision)).toMatchObject({ accepted: { as } });
  });

  it('reads what a form sends as text by the schema, and takes what it read', () => {
    expect(judgeDecision(docket, decide('p4', { do: 'answer', fields: { n: ' 7 ' } }))).toMatchObject({
      accepted: { act: { do: 'answer', fields: { n: 7 } } },
    });
    expect(judgeDecision(docket, decide('p4', { do: 'answer', fields: { n: 'seven' } }))).toMatchObject({
      refused: { code: 'invalid_choice' },
    });
  });

  it('tells a late decision who was first', () => {
    expect(judgeDecision(docket, decide('p8', { do: 'answer', option: 'no' }))).toMatchObject({
      refused: { code: 'closed', by: { name: 'bob' }, action: 'yes' },
    });
  });

  it('judges in the order of the table: who may comes after what is shown', () => {
    const bot = { actor: { ...person, kind: 'bot' } } as const;
    const order: [Decision, string][] = [
      [decide('p1', { do: 'answer', option: 'x' }, bot), 'wrong_state'],
      [decide('p6', { do: 'act', action: 'confirm' }, { ...shown, ...bot }), 'busy'],
      [
        decide('p5', { do: 'act', action: 'confirm' }, { artifact: 'x', version: 9, ...bot }),
        'wrong_artifact',
      ],
      [decide('p5', { do: 'act', action: 'confirm' }, { ...shown, version: 9, ...bot }), 'stale_version'],
      [decide('p5', { do: 'act', action: 'revise' }, { ...shown, ...bot }), 'not_permitted'],
      [decide('p2', { do: 'answer', option: 'z' }, bot), 'not_permitted'],
    ];
    for (const [decision, code] of order)
      expect(judgeDecision(docket, decision)).toMatchObject({ refused: { code } });
  });

  it('asks which revision when a card has two', () => {
    const two: Docket = { ...docket, revises: (_pause, action) => action !== 'confirm' };
    const verdict = judgeDecision(two, decide('p5', { do: 'act', action: 'confirm', feedback: 'x' }, shown));
    expect(verdict).toMatchObject({ refused: { code: 'kind_required' } });
  });

  it('confirms no text that was changed where it is stored, by a button or by words, but has it made anew or stopped', () => {
    const changed: Docket = { ...docket, altered: () => true };
    const judged = (act: Decision['act']): string => {
      const verdict = judgeDecision(changed, decide('p5', act, shown));
      return 'refused' in verdict ? verdict.refused.code : verdict.accepted.as;
    };
    expect(judged({ do: 'act', action: 'confirm' })).toBe('digest_mismatch');
    expect(judged({ do: 'say', text: 'yes' })).toBe('digest_mismatch');
    expect(judged({ do: 'act', action: 'revise', feedback: 'anew' })).toBe('revised');
    expect(judged({ do: 'act', action: 'stop' })).toBe('stopped');
  });

  it('takes words only where somebody reads them, and an action without a button only with words', () => {
    const unread: Docket = { ...docket, reads: () => false };
    const said = judgeDecision(unread, decide('p5', { do: 'say', text: 'yes' }, shown));
    expect(said).toMatchObject({ refused: { code: 'wrong_state' } });
    if (card.kind !== 'card') throw new Error('no card');
    const actions = card.actions.map(action => ({ ...action, needs: 'nothing' as const, button: false }));
    const hidden: Docket = { ...docket, open: [{ ...card, actions }] };
    const bare = judgeDecision(hidden, decide('p5', { do: 'act', action: 'revise' }, shown));
    expect(bare).toMatchObject({ refused: { code: 'feedback_required' } });
  });

  it('never throws and never accepts for a pause that is not open', () => {
    const act = fc.oneof(
      fc.record({ do: fc.constant('answer' as const), option: fc.string(), text: fc.string() }),
      fc.record({ do: fc.constant('act' as const), action: fc.string(), feedback: fc.string() }),
      fc.record({ do: fc.constant('say' as const), text: fc.string() }),
      fc.constant({ do: 'cancel' as const }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), act, (number, made) => {
        const verdict = judgeDecision(docket, decide(`p${number}`, made));
        if ('accepted' in verdict) expect(docket.open.map(pause => pause.id)).toContain(`p${number}`);
      }),
    );
  });
});

describe('judgeRepeat', () => {
  const receipt = {
    commandId: '0123456789abcdef',
    command: 'decide',
    payload: digest,
    at: '1.1.aaaaaa',
    did: {},
  };
  it('gives the same command its first receipt', () => {
    expect(judgeRepeat(receipt, digest)).toEqual({ replayed: receipt });
  });
  it('refuses another command under a used id', () => {
    expect(judgeRepeat(receipt, `sha256:${'c'.repeat(64)}`)).toMatchObject({
      refused: { code: 'command_conflict' },
    });
  });
});
