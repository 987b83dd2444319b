import type { Pause } from '@hearth/protocol/pause.ts';
import { expect, test } from 'vitest';
import { actFor, isToldLater, questionNamed, type Said } from './answer.ts';
import { botNamed } from './bot.ts';
import { portNamed } from './serve.ts';
import { turnsNamed } from './show.ts';

const NOTHING: Said = { choice: null, text: null, fields: null, grant: null, rule: null };
const ID = 'c_01jd0000000000000000000000';

const permission: Pause = {
  id: 'p1',
  run: 'r1',
  turn: 't1',
  node: 'n',
  branch: null,
  openedAt: '',
  text: '',
  kind: 'permission',
  rule: 'bash(ls)',
  call: { id: 'x', tool: 'bash', args: {}, digest: `sha256:${'0'.repeat(64)}` },
};

const beside: Pause = {
  id: 'p2',
  run: 'r1',
  turn: 't1',
  node: 'n',
  branch: null,
  openedAt: '',
  text: '',
  kind: 'question',
  asker: 'agent',
  blocking: false,
  options: [],
  allowFreeText: true,
};

test.each<[string, Pause | null, 't1' | 't2' | null, boolean]>([
  ['whose turn is over', beside, null, true],
  ['behind which another turn began', beside, 't2', true],
  ['in the turn that asked', beside, 't1', false],
  ['for which its agent waits', { ...beside, blocking: true }, null, false],
  ['of another kind', permission, null, false],
  ['that nobody knows', null, null, false],
])('a question %s is told later or goes on now', (_which, pause, turn, later) => {
  expect(isToldLater(pause, turn)).toBe(later);
});

test.each<[Partial<Said>, Pause | null, unknown]>([
  [{ choice: 'yes' }, null, { do: 'answer', option: 'yes' }],
  [{ text: 'because' }, null, { do: 'answer', text: 'because' }],
  [
    { choice: 'it_happened', fields: '{"a": 1}' },
    null,
    { do: 'answer', option: 'it_happened', fields: { a: 1 } },
  ],
  [{ grant: 'once' }, null, { do: 'permit', grant: 'once' }],
  [{ grant: 'always', rule: 'bash' }, permission, { do: 'permit', grant: 'always', rule: 'bash' }],
  [{ choice: 'deny' }, permission, { do: 'permit', grant: 'deny' }],
])('%j', (said, pause, act) => {
  expect(actFor({ ...NOTHING, ...said }, pause)).toEqual(act);
});

test.each<[Partial<Said>, Pause | null]>([
  [{}, null],
  [{ grant: 'sometimes' }, null],
  [{ choice: 'yes', rule: 'bash' }, null],
  [{ grant: 'once', text: 'x' }, null],
  [{ fields: '{' }, null],
  [{ fields: '[1]' }, null],
  [{ choice: 'maybe' }, permission],
])('%j is wrong usage', (said, pause) => {
  expect(() => actFor({ ...NOTHING, ...said }, pause)).toThrow(
    expect.objectContaining({ name: 'UsageError' }),
  );
});

test.each([
  ['p7', null, { conversation: null, pause: 'p7' }],
  ['p7', 'c_01', { conversation: 'c_01', pause: 'p7' }],
  [`${ID}/p7`, null, { conversation: ID, pause: 'p7' }],
  [`${ID}/p7`, ID, { conversation: ID, pause: 'p7' }],
] as const)('%s beside %s', (text, beside, named) => {
  expect(questionNamed(text, beside)).toEqual(named);
});

test.each([
  ['7', null],
  ['yes', null],
  [`${ID}/p7`, 'c_other'],
] as const)('%s beside %s names no question', (text, beside) => {
  expect(() => questionNamed(text, beside)).toThrow(expect.objectContaining({ name: 'UsageError' }));
});

test.each([
  ['hello', 'hello'],
  ['./hello', '/here/hello'],
  ['..', '/'],
  ['bots/mine', '/here/bots/mine'],
  ['mine.bot', '/here/mine.bot'],
  ['mine.botz', '/here/mine.botz'],
  ['/abs/bot', '/abs/bot'],
])('the bot %s', (text, named) => {
  expect(botNamed(text, '/here')).toBe(named);
});

test.each([
  [null, null],
  ['0', 0],
  ['65535', 65_535],
])('the port %s', (text, port) => {
  expect(portNamed(text)).toBe(port);
});

test.each(['', 'x', '-1', '65536', '1.5', '0x10'])('%j is no port', text => {
  expect(() => portNamed(text)).toThrow(expect.objectContaining({ name: 'UsageError' }));
});

test.each([
  [null, 10],
  ['1', 1],
  ['200', 200],
])('the turns %s', (text, turns) => {
  expect(turnsNamed(text)).toBe(turns);
});

test.each(['', 'x', '0', '201', '-1', '1.5', '1e1', '0x10', ' 5'])('%j is no count of turns', text => {
  expect(() => turnsNamed(text)).toThrow(expect.objectContaining({ name: 'UsageError' }));
});
