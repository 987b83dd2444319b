import type { Asked, Item } from '@hearth/client/item.ts';
import type { Link } from '@hearth/client/stream.ts';
import type { Model } from '@hearth/client/view.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';
import { expect, test } from 'vitest';
import { announcement } from './announcer.tsx';
import { besides, closing, placeOf, speaker, tabTitle, troubleOf, updateOf } from './words.ts';

const me: Actor = { kind: 'person', name: 'ada', surface: 'studio' };
const bot: Actor = { kind: 'bot', name: 'Nexie', surface: 'service' };
const base = { run: 'r1', turn: 't1', node: 'n', branch: null, openedAt: '', text: 'Sure?' } as const;
const question: Pause = {
  ...base,
  id: 'p3',
  kind: 'question',
  asker: 'agent',
  blocking: true,
  options: [{ id: 'yes', label: 'Yes, do it' }],
  allowFreeText: false,
};

test.each<[Actor, string]>([
  [me, 'You'],
  [{ ...me, surface: 'console' }, 'You (console)'],
  [{ ...me, name: 'bob' }, 'bob (studio)'],
  [bot, 'Nexie'],
  [{ kind: 'service', name: 'x', surface: 'y' }, 'Hearth'],
])('%j is called %s', (by, called) => {
  expect(speaker(by, me)).toBe(called);
});

test('a closed pause tells the label and not the id, and by whom', () => {
  const closed = { how: 'answered', by: me, option: 'yes', action: null, text: null } as const;
  expect(closing(question, closed, me)).toBe('Answered “Yes, do it” by you');
  expect(closing(question, { ...closed, by: { ...me, name: 'bob', surface: 'console' } }, me)).toBe(
    'Answered “Yes, do it” by bob (console)',
  );
  const withdrawn = { ...closed, how: 'cancelled', option: null } as const;
  expect(closing(question, withdrawn, me)).toBe('Cancelled by you');
});

test('a permission shows exactly what would be done', () => {
  const call = {
    id: 'k',
    tool: 'bash',
    args: { command: 'rm' },
    digest: `sha256:${'0'.repeat(64)}`,
  } as const;
  expect(besides({ ...base, id: 'p4', kind: 'permission', rule: 'bash(rm)', call })).toBe(
    'bash {\n  "command": "rm"\n}',
  );
  expect(besides(question)).toBe('');
});

test('the title counts what waits, first of all', () => {
  const row = { state: 'waiting' } as ConversationRow;
  expect(tabTitle([row, { ...row, state: 'working' }, row], 'Nexie')).toBe('(2) Nexie · Hearth');
  expect(tabTitle([], null)).toBe('Hearth');
});

const place = { key: 'k', seq: 1, at: '', turn: null };
const asked: Asked = { ...place, is: 'asked', pause: question, closed: null };
test.each<[string, Item, string | null]>([
  ['a reply', { ...place, is: 'replied', message: 'm1', by: bot, text: '**Hi**' }, 'Nexie: Hi'],
  ['an open question', asked, 'A question: Sure?'],
  [
    'a closed one',
    { ...asked, closed: { how: 'acted', by: me, option: null, action: null, text: null } },
    null,
  ],
  ['a fault', { ...place, is: 'told', code: 'x', severity: 'error', text: 'It broke.' }, 'error: It broke.'],
  ['a fact', { ...place, is: 'told', code: 'x', severity: 'info', text: 'A new run.' }, null],
  ['tools', { ...place, is: 'tools', calls: [] }, null],
])('%s is announced as it should be', (_name, item, words) => {
  expect(announcement(item, me)).toBe(words);
});

test('own words are not announced, those from elsewhere are', () => {
  const said = {
    ...place,
    is: 'said',
    message: 'm1',
    text: 'hello',
    fate: null,
    delivery: null,
    commandId: null,
  } as const;
  expect(announcement({ ...said, by: me }, me)).toBeNull();
  expect(announcement({ ...said, by: { ...me, surface: 'console' } }, me)).toBe('You (console): hello');
});

const on = (link: Link, trouble: Model['trouble'] = null): Model => ({ link, trouble }) as Model;
const full = { code: 'disk_full', detail: 'The disk is full; free some space.' };
test.each<[string, Model | null, boolean, string | null, RegExp | null, boolean]>([
  ['connected', on({ is: 'connected' }), true, null, null, false],
  [
    'connected, on a full disk',
    on({ is: 'connected' }, full),
    true,
    null,
    /^The disk is full; free some space\. Until then nothing can be saved here/,
    false,
  ],
  [
    'between two attempts',
    on({ is: 'reconnecting', attempt: 2, inMs: 500 }),
    true,
    null,
    /^Connection lost/,
    false,
  ],
  ['cut', on({ is: 'lost', why: 'It broke.' }), true, null, /^Connection lost/, false],
  ['nowhere yet', null, false, null, /^Connection lost/, false],
  ['stopped', on({ is: 'stopped', why: '' }), true, null, /^The service was stopped\. Any "hearth"/, true],
  [
    'refused for good',
    on({ is: 'lost', why: 'It is gone.', final: true }),
    true,
    null,
    /^It is gone\. Choose/,
    true,
  ],
  ['signed out', on({ is: 'lost', why: 'x', final: true }), true, 'why', /Run "hearth studio"/, true],
])('%s: what is said of the connection', (_name, model, reachable, signedOut, words, again) => {
  const trouble = troubleOf({ model, reachable, signedOut });
  if (words === null) expect(trouble).toBeNull();
  else expect(trouble).toEqual({ text: expect.stringMatching(words), again });
});

test('a global conversation works where the session is from, any other in its own folder', () => {
  const model = (scope: Model['now']['scope']): Model => ({ now: { scope } }) as Model;
  expect(placeOf(model({ kind: 'global' }), '/home/ada/project')).toBe('/home/ada/project');
  expect(placeOf(model({ kind: 'global' }), null)).toBe('');
  expect(placeOf(model({ kind: 'workspace', path: '/other' }), '/home/ada/project')).toBe('/other');
});

test('a page is told when another version answers than the one that it came from', () => {
  expect(updateOf('0.1.0', '0.1.0')).toBeNull();
  expect(updateOf('0.1.0', '0.2.0\n')).toBe('Hearth was updated to 0.2.0: reload this page to use it.');
});
