import type { BackendTurn } from '@hearth/engine/backend.ts';
import { expect, test } from 'vitest';
import { idOf, messageId, openingOf, type Standing, turnId } from './opening.ts';

const RECAP = { turns: [{ who: 'person' as const, text: 'The barn is red.' }] };

function turn(more: Partial<BackendTurn> = {}): BackendTurn {
  return {
    effect: 'e7',
    attempt: 1,
    node: 'nexie',
    directory: '/c/epochs/1/backend/nexie',
    workspace: '/project',
    session: { mode: 'resume', id: 's', fingerprint: 'f', strict: false, recap: RECAP },
    prompt: { system: 'You are Nexie.', user: 'Paint it.', attachments: [] },
    answers: [],
    tools: [],
    mayAsk: true,
    permission: { mode: 'off', allow: [], ask: [], deny: [] },
    output: null,
    model: { model: 'auto', provider: null, effort: null },
    maxSteps: 80,
    quietMs: 60_000,
    ...more,
  };
}

const knows = (...ids: readonly string[]): Standing => ({ how: 'resumed', holds: id => ids.includes(id) });
const lost: Standing = { how: 'reseeded', holds: () => false };
const said = (given: BackendTurn, standing: Standing): string =>
  openingOf(given, standing)
    .map(words => words.text)
    .join('|');

test('a turn says its words, under an id that is the same in every attempt', () => {
  const given = turn();
  expect(openingOf(given, knows())).toEqual([{ id: turnId(given, 'e7'), text: 'Paint it.' }]);
  expect(turnId(given, 'e7')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(idOf('a', 'b')).not.toBe(idOf('ab'));
});

test('words that look like a command of the program are words', () => {
  expect(said(turn({ prompt: { system: '', user: '/compact now', attachments: [] } }), knows())).toBe(
    ' /compact now',
  );
});

test('a session that knows the words is not told them again', () => {
  const given = turn({ attempt: 2 });
  const again = openingOf(given, knows(turnId(given, 'e7')));
  expect(again.map(words => words.text)).toEqual(['[hearth] The attempt before this one failed. Go on.']);
  expect(again[0]?.id).not.toBe(turnId(given, 'e7'));
});

test('an answer is told with its question, and the words that led to it are not', () => {
  const answers = [
    { ask: 'Which colour?', call: 'c1', options: [{ id: 'r', label: 'Red' }], result: { option: 'r' } },
    { ask: 'And then?', call: 'c2', options: [], result: 'cancelled' as const },
  ];
  const text = said(turn({ answers }), knows());
  expect(text).not.toContain('Paint it.');
  expect(text).toContain(
    'You had asked: Which colour?\nThe answer: {"answered":true,"option":"r","label":"Red"}',
  );
  expect(text).toContain('{"answered":false,"note":"The question was withdrawn');
  // A session that replaces the one that asked is told everything.
  expect(said(turn({ answers }), lost)).toMatch(
    /The person: The barn is red\.[^]*Paint it\.[^]*Which colour\?/,
  );
});

test('leave for a call is told as such', () => {
  const permit = { tool: 'Bash', digest: 'sha256:0' as const };
  const answer = (option: string) => [{ ask: '', call: 'c1', options: [], result: { option }, permit }];
  expect(said(turn({ answers: answer('once') }), knows())).toMatch(
    /allowed the call of "Bash".*make it again/,
  );
  expect(said(turn({ answers: answer('deny') }), knows())).toMatch(/did not allow the call of "Bash"/);
});

test('a turn that was broken off is told what may have happened, and what came meanwhile, once', () => {
  const interrupted: NonNullable<BackendTurn['interrupted']> = {
    effect: 'e6',
    toolsStarted: ['Bash', 'Bash', 'close_issue'],
    unseen: [
      { id: 'm1', text: 'Stop.' },
      { id: 'm2', text: '/later' },
    ],
  };
  const given = turn({ attempt: 2, interrupted });
  const all = openingOf(given, knows());
  expect(all.map(words => words.text)).toEqual([
    'Paint it.\n\n[hearth] This turn was interrupted before it ended. These tools had been started and may have taken effect: Bash, close_issue. Go on with it.',
    'Stop.',
    ' /later',
  ]);
  const some = openingOf(given, knows(turnId(given, 'e6'), messageId(given, 'm1')));
  expect(some.map(words => words.text)).toEqual([expect.stringMatching(/^\[hearth\] This turn/), ' /later']);
});

test('a session that replaces a lost one, or begins with what was said elsewhere, is told which', () => {
  expect(said(turn(), lost)).toMatch(
    /^\[hearth\] Your earlier session is gone\.[^]*The barn is red\.[^]*Paint it\.$/,
  );
  const fresh = turn({ session: { mode: 'fresh', recap: RECAP } });
  expect(said(fresh, { how: 'opened', holds: () => false })).toMatch(/^\[hearth\] What was said before/);
  expect(said(turn({ session: { mode: 'fresh' } }), { how: 'opened', holds: () => false })).toBe('Paint it.');
});
