import { PassThrough } from 'node:stream';
import { cardReport } from '@hearth/client/report.ts';
import { cardOf } from '@hearth/client/testing/cards.ts';
import { HearthProblem } from '@hearth/client/problem.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import type { TurnReport } from '@hearth/protocol/turn-report.ts';
import { HomeError } from '@hearth/service/home-error.ts';
import { expect, test } from 'vitest';
import { CommandError, type Io, UsageError } from './command.ts';
import { report as reportError } from './errors.ts';
import { exitOfReport, printReport } from './turn-output.ts';

const ID = 'c_01jd0000000000000000000000';
const settled: TurnReport = {
  conversation: ID,
  turn: 't1',
  state: 'settled',
  reply: 'Here you are.',
  quickReplies: [],
  questions: [],
  cards: [],
  cursor: '1.1.abcdef',
};
const question = {
  id: 'p7',
  kind: 'question',
  text: 'Close HB-4?',
  options: [
    { id: 'yes', label: 'Yes, close it' },
    { id: 'no', label: 'No' },
  ],
  allowFreeText: true,
} as const;
const card = {
  ...cardReport(cardOf({ id: 'p8' })),
  text: 'First this.',
  body: 'DO this\n    AND that',
};

function recorder(env: Record<string, string> = {}): {
  readonly io: Io;
  readonly out: () => string;
  readonly err: () => string;
} {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const io = {
    env,
    cwd: '/',
    stdin: new PassThrough(),
    stdout,
    stderr,
    interrupted: new AbortController().signal,
    interruption: { message: '' },
  };
  return { io, out: () => String(stdout.read() ?? ''), err: () => String(stderr.read() ?? '') };
}

test.each<[string, Partial<TurnReport>, number]>([
  ['settled', {}, EXIT.done],
  [
    'waits for an answer',
    { state: 'waiting', questions: [{ ...question, options: [...question.options] }] },
    EXIT.waiting,
  ],
  ['waits behind something', { state: 'waiting' }, EXIT.waiting],
  ['only a card waits', { state: 'waiting', cards: [card] }, EXIT.gate],
  [
    'an answer and a card wait',
    { state: 'waiting', cards: [card], questions: [{ ...question, options: [] }] },
    EXIT.waiting,
  ],
  ['cancelled', { state: 'failed', error: { code: 'cancelled', message: '' } }, EXIT.failed],
  ['the provider refused', { state: 'failed', error: { code: 'auth', message: '' } }, EXIT.environment],
])('%s', (_name, change, exit) => {
  expect(exitOfReport({ ...settled, ...change })).toBe(exit);
});

test('reply, quick replies, then the question with the commands that answer it', () => {
  const { io, out } = recorder();
  printReport(
    io,
    {
      ...settled,
      state: 'waiting',
      quickReplies: ['Go on'],
      questions: [{ ...question, options: [...question.options] }],
    },
    false,
  );
  const text = out();
  const places = [
    'Here you are.',
    'Go on',
    'Close HB-4?',
    'yes  Yes, close it',
    'hearth answer p7 --choice yes',
    'hearth answer p7 --text',
  ].map(part => text.indexOf(part));
  expect(places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1))).toBe(true);
});

test('a recovery says from when on another attempt makes sense, and what it_happened must say', () => {
  const { io, out } = recorder();
  const properties = { reply: { type: 'string' }, close: { type: 'boolean' } };
  const recovery = {
    id: 'p9',
    kind: 'recovery',
    text: 'The provider is overloaded.',
    options: [
      { id: 'again', label: 'Again' },
      { id: 'it_happened', label: 'It happened' },
    ],
    allowFreeText: false,
    fields: { type: 'object', properties },
    retryAt: '2026-01-01T00:00:12.000Z',
  } as const;
  printReport(io, { ...settled, questions: [{ ...recovery, options: [...recovery.options] }] }, false);
  expect(out()).toBe(`Here you are.

Needs you p9: The provider is overloaded.
  Another attempt makes sense from 2026-01-01T00:00:12.000Z on.
  again        Again
  it_happened  It happened
  hearth answer p9 --choice again
  hearth answer p9 --choice it_happened --fields '{"reply": <string>, "close": <boolean>}'
`);
});

test('outside the default conversation the answer names it', () => {
  const { io, out } = recorder();
  printReport(io, { ...settled, questions: [{ ...question, options: [...question.options] }] }, true);
  expect(out()).toContain(`hearth answer ${ID}/p7 --choice yes`);
});

test.each<[string, unknown, number, RegExp]>([
  ['wrong usage', new UsageError('No.'), EXIT.usage, /^hearth: No\.\n$/],
  [
    'a command that cannot be done',
    new CommandError(EXIT.failed, 'x', 'No.'),
    EXIT.failed,
    /^hearth: No\.\n$/,
  ],
  [
    'a refusal',
    new HearthProblem({ code: 'stale_version', status: 409, detail: 'It moved.' }),
    EXIT.failed,
    /It moved/,
  ],
  [
    'an unknown conversation',
    new HearthProblem({ code: 'unknown_conversation', status: 404, detail: 'None.' }),
    EXIT.failed,
    /None/,
  ],
  [
    'a service that is gone',
    new HearthProblem({ code: 'unreachable', status: 0, detail: 'Gone.' }),
    EXIT.environment,
    /Gone/,
  ],
  ['a port in use', new HomeError('port_in_use', 'Taken.'), EXIT.environment, /Taken/],
  ['a service that runs already', new HomeError('already_running', 'Runs.'), EXIT.failed, /Runs/],
  ['anything else', new Error('secret detail'), EXIT.environment, /^hearth: Something unexpected[^\n]*\n$/],
])('%s is one line and an exit code', (_name, error, exit, line) => {
  const { io, err } = recorder();
  expect(reportError(error, io)).toBe(exit);
  const text = err();
  expect(text).toMatch(line);
  expect(text).not.toContain('    at ');
  expect(text.split('\n')).toHaveLength(2);
});

test('a stack is shown only to who asked for it', () => {
  const { io, err } = recorder({ HEARTH_DEBUG: '1' });
  reportError(new Error('detail'), io);
  expect(err()).toContain('    at ');
});

test('a card is printed with its text, its actions and the command that decides', () => {
  const { io, out } = recorder();
  const finding = { code: 'PDL-06', severity: 'warning', message: 'a code fence' } as const;
  printReport(io, { ...settled, state: 'waiting', cards: [{ ...card, findings: [finding] }] }, true);
  expect(out()).toBe(`Here you are.

For review: Response Plan Pseudocode, version 2 (${ID}/p8, approach@2, ab12cd34)
  made from interpretation version 3
  | DO this
  |     AND that
  Found in it:
  - warning: a code fence (PDL-06)
  confirm_standard    Confirm standard
  confirm_pseudocode  Confirm pseudocode
  change_request      Change request (with --feedback "…")
  revise              Revise approach (with --feedback "…")
  stop                Stop
  hearth decide ${ID}/p8 --version 2:ab12cd34 --action confirm_standard
  hearth show ${ID} --artifact approach@2 --since 1
`);
});

test('a card without its text names the command that shows it', () => {
  const { io, out } = recorder();
  printReport(io, { ...settled, state: 'waiting', cards: [{ ...card, body: null }] }, true);
  expect(out()).toContain(`\n  hearth show ${ID} --artifact approach@2  (its text)\n`);
});

test('what a person stopped is told as that, and not as a failure', () => {
  const { io, err } = recorder();
  printReport(
    io,
    { ...settled, state: 'failed', error: { code: 'cancelled', message: 'It was stopped.' } },
    true,
  );
  expect(err()).toBe('hearth: It was stopped.\n');
});

test('a question without a reply is the first line', () => {
  const { io, out } = recorder();
  printReport(
    io,
    { ...settled, reply: '', state: 'waiting', questions: [{ ...question, options: [...question.options] }] },
    false,
  );
  expect(out().split('\n')[0]).toBe('Question p7: Close HB-4?');
});
