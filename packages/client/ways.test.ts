import type { Pause } from '@hearth/protocol/pause.ts';
import { describe, expect, it } from 'vitest';
import type { Way } from './ways.ts';
import { retryWords, rowsOf, sameAct, whatAMessageDoes } from './ways.ts';

const base = {
  id: 'p1',
  run: 'r1',
  turn: 't1',
  node: 'n',
  branch: null,
  openedAt: '',
  text: 'Sure?',
} as const;
const yes = { id: 'yes', label: 'Yes', detail: 'close it' };
const no = { id: 'no', label: 'No' };

const question = (shape: Partial<Extract<Pause, { kind: 'question' }>> = {}): Pause => ({
  ...base,
  kind: 'question',
  asker: 'agent',
  blocking: true,
  options: [yes, no],
  allowFreeText: false,
  ...shape,
});
const digest = `sha256:${'0'.repeat(64)}` as const;
const permission: Pause = {
  ...base,
  kind: 'permission',
  rule: 'bash(ls)',
  call: { id: '1', tool: 'bash', args: {}, digest },
};
const recovery: Pause = {
  ...base,
  kind: 'recovery',
  cause: 'failed',
  code: 'x',
  detail: '',
  choices: [{ id: 'again', label: 'Again' }],
  unseen: [],
};
const input = (properties: Record<string, { type: string }>): Pause => ({
  ...base,
  kind: 'input',
  fields: { type: 'object', properties },
  actions: [],
});
const action = {
  name: 'confirm',
  label: 'Confirm',
  needs: 'nothing',
  confirms: true,
  enabled: true,
  button: true,
} as const;
const card: Pause = {
  ...base,
  kind: 'card',
  status: 'shown',
  shown: { artifact: 'plan', version: 2, digest },
  actions: [
    action,
    { ...action, name: 'revise', label: 'Revise', needs: 'feedback', confirms: false },
    { ...action, name: 'stop', label: 'Stop', confirms: false, stops: true, enabled: false, why: 'not yet' },
    { ...action, name: 'later', label: 'Later', button: false },
  ],
  from: [],
  findings: [],
  earlier: [1],
};

function waysOf(pause: Pause): unknown[] {
  return rowsOf(pause).map(({ way }) =>
    way === null ? null : way.is === 'act' ? way.act : way.make('words'),
  );
}

describe('the ways to answer', () => {
  it.each([
    [
      'a question',
      question(),
      [
        { do: 'answer', option: 'yes' },
        { do: 'answer', option: 'no' },
      ],
    ],
    ['one with free text', question({ options: [], allowFreeText: true }), [{ do: 'answer', text: 'words' }]],
    ['a recovery', recovery, [{ do: 'answer', option: 'again' }]],
    [
      'a permission',
      permission,
      [
        { do: 'permit', grant: 'once' },
        { do: 'permit', grant: 'always' },
        { do: 'permit', grant: 'deny' },
      ],
    ],
    [
      'data with one text field',
      input({ name: { type: 'string' } }),
      [{ do: 'answer', fields: { name: 'words' } }],
    ],
    [
      'data with one field that words can fill',
      input({ sure: { type: 'boolean' } }),
      [{ do: 'answer', fields: { sure: 'words' } }],
    ],
    [
      'a card',
      card,
      [{ do: 'act', action: 'confirm' }, { do: 'act', action: 'revise', feedback: 'words' }, null],
    ],
  ])('to %s', (_name, pause, ways) => {
    expect(waysOf(pause)).toEqual(ways);
  });

  it('take data of several fields as JSON, and say what is wrong with anything else', () => {
    const [row] = rowsOf(input({ a: { type: 'string' }, b: { type: 'number' } }));
    const way = row?.way as Extract<Way, { is: 'type' }>;
    expect(way.hint).toContain('a, b');
    expect(way.make('{"a":"x","b":1}')).toEqual({ do: 'answer', fields: { a: 'x', b: 1 } });
    expect(way.make('a: x\n\nb: 1')).toEqual({ do: 'answer', fields: { a: 'x', b: '1' } });
    expect(way.make('a: x\nc: 1')).toContain('not JSON');
    expect(way.make('a: x\na: y')).toContain('not JSON');
    expect(way.make('x')).toContain('not JSON');
    expect(way.make('[1]')).toContain('not a JSON object');
  });

  it('to a chat pause are none', () => {
    expect(rowsOf({ ...base, kind: 'chat', quickReplies: ['x'] })).toEqual([]);
  });
});

it.each<[string, Pause, RegExp]>([
  ['a question that is waited for', question(), /waits until this is answered/],
  ['one that nobody waits for', question({ blocking: false }), /goes on its way/],
  ['an interrupted turn', { ...recovery, cause: 'interrupted' } as Pause, /takes the work up again/],
  ['another recovery', recovery, /waits until this is answered/],
])('says what a message does at %s', (_name, pause, words) => {
  expect(whatAMessageDoes(pause)).toMatch(words);
});

it('two decisions are the same when they say the same', () => {
  expect(sameAct({ do: 'answer', option: 'yes' }, { do: 'answer', option: 'yes' })).toBe(true);
  expect(sameAct({ do: 'answer', option: 'yes' }, { do: 'answer', text: 'yes' })).toBe(false);
});

describe('what happened, told by a person', () => {
  const properties = {
    reply: { type: 'string' },
    close: { type: 'boolean' },
    quick_replies: {},
    labels: { type: 'array' },
  };
  const row = (fields: Record<string, object>): Extract<Way, { is: 'type' }> => {
    const choices = [{ id: 'it_happened', label: 'It happened' }];
    const pause: Pause = { ...recovery, choices, fields: { type: 'object', properties: fields } } as Pause;
    const way = rowsOf(pause)[0]?.way;
    if (way?.is !== 'type') throw new Error('the row takes no words');
    return way;
  };

  it('is the reply alone where the rest can be left blank', () => {
    const { hint, make } = row(properties);
    expect(hint).toContain('replied');
    expect(make('Done by hand.')).toEqual({
      do: 'answer',
      option: 'it_happened',
      fields: { reply: 'Done by hand.', close: false, quick_replies: [], labels: [] },
    });
  });

  it('is the whole output for whoever writes it, and where only they can know it', () => {
    const whole = { reply: 'x', close: true };
    expect(row(properties).make(JSON.stringify(whole))).toMatchObject({
      fields: whole,
      option: 'it_happened',
    });
    const { hint, make } = row({ ...properties, count: { type: 'number' } });
    expect(hint).toContain('count');
    expect(make('words')).toMatch(/not JSON/);
  });

  it('needs no words where nothing is asked for', () => {
    const choices = [{ id: 'it_happened', label: 'It happened' }];
    expect(rowsOf({ ...recovery, choices } as Pause)[0]?.way).toEqual({
      is: 'act',
      act: { do: 'answer', option: 'it_happened' },
    });
  });
});

it.each<[string | undefined, string | null]>([
  ['1970-01-01T00:00:30.000Z', 'You can try again in 30 s.'],
  ['1970-01-01T00:00:00.001Z', 'You can try again in 1 s.'],
  ['1970-01-01T00:04:30.000Z', 'You can try again in 5 min.'],
  ['1970-01-01T00:00:00.000Z', null],
  ['nonsense', null],
  [undefined, null],
])('another attempt at %s: %s', (retryAt, words) => {
  expect(retryWords({ ...recovery, ...(retryAt === undefined ? {} : { retryAt }) } as Pause, 0)).toBe(words);
});
