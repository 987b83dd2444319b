import type { Pause } from '@hearth/protocol/pause.ts';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Noted, observe, PresenceLine, presenceLineIn, presenceOf } from './presence.ts';

const base = {
  run: 'r1',
  turn: 't1',
  node: 'chat',
  branch: null,
  openedAt: '2026-01-01T00:00:00.000Z',
} as const;
const chat: Pause = { ...base, id: 'p1', kind: 'chat', quickReplies: [], text: 'Hello.' };
const question = (number: number, text = 'Which one?'): Pause => ({
  ...base,
  id: `p${number}`,
  kind: 'question',
  asker: 'agent',
  blocking: true,
  options: [],
  allowFreeText: true,
  text,
});

test.each([
  ['home base', { state: 'idle', pauses: [chat] }, { is: 'idle' }],
  ['work', { state: 'working', pauses: [] }, { is: 'working' }],
  [
    'a question, also beside work and home base',
    { state: 'waiting', pauses: [chat, question(2), question(3)] },
    { is: 'waiting_user', what: { pause: 'p2', kind: 'question', text: 'Which one?' } },
  ],
] as const)('%s', (_, view, presence) => {
  expect(presenceOf({ ...view, pauses: [...view.pauses] })).toEqual(presence);
});

test('a long text is cut between characters', () => {
  const presence = presenceOf({ state: 'waiting', pauses: [question(1, '\u{1F600}'.repeat(2000))] });
  expect(presence).toMatchObject({ what: { text: '\u{1F600}'.repeat(512) } });
});

test('a person is called once for a pause, whatever happens around it and however often it is looked at', () => {
  const steps = fc.array(
    fc.record({ open: fc.boolean(), close: fc.boolean(), working: fc.boolean(), restart: fc.boolean() }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, all => {
      let noted: Noted | null = null;
      let next = 1;
      let open: Pause[] = [];
      const called: string[] = [];
      for (const { open: opens, close, working, restart } of all) {
        if (opens) open = [...open, question(next++)];
        if (close) open = open.slice(1);
        const state = open.length > 0 ? 'waiting' : working ? 'working' : 'idle';
        const seen = observe(noted, { state, pauses: open });
        if (seen.call !== null) called.push(seen.call.pause);
        // What is noted is all that survives a restart.
        noted = restart ? (JSON.parse(JSON.stringify(seen.noted)) as Noted) : seen.noted;
        expect(observe(noted, { state, pauses: open })).toMatchObject({ changed: false, call: null });
      }
      expect(new Set(called).size).toBe(called.length);
      expect(called).toEqual(called.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
    }),
  );
});

test('a line is what its schema takes it for, and one that was written here is not held against it', () => {
  const id = 'c_01jd0000000000000000000009';
  const at = '2026-01-01T00:00:00.000Z';
  const written = [
    { v: 1, at, conversation: id, is: 'waiting_user', pause: 'p12', called: 12, kind: 'question' },
    { v: 1, at, conversation: id, is: 'waiting_user', pause: 'p12', kind: 'question', called: 12 },
    { v: 1, at, conversation: id, is: 'idle', called: 0 },
    { v: 1, at, conversation: id, is: 'gone', called: 2 },
  ];
  const expected = written.map(line => PresenceLine.parse(line));
  const held = vi.spyOn(PresenceLine, 'safeParse');
  expect(written.map(line => presenceLineIn(JSON.stringify(line)))).toEqual(expected);
  expect(held).not.toHaveBeenCalled();
  held.mockRestore();
  // Written by a hand, with a field more.
  expect(presenceLineIn(JSON.stringify({ note: 'mine', ...written[2] }, null, 2))).toEqual(expected[2]);
  const [whole = ''] = written.map(line => JSON.stringify(line));
  const others = [
    whole.replace('"v":1', '"v":2'),
    whole.replace(id, 'c_01'),
    whole.replace('waiting_user', 'away'),
    whole.replace('"p12"', '"p012"'),
    whole.replace('"called":12', '"called":012'),
    whole.replace('"called":12', '"called":-1'),
    whole.slice(0, -1),
    '',
  ];
  expect(others.map(presenceLineIn)).toEqual(others.map(() => null));
});
