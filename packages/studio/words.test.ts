import type { Asked, Item } from '@hearth/client/item.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { Pause } from '@hearth/protocol/pause.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';
import { expect, test } from 'vitest';
import { announcement } from './announcer.tsx';
import { besides, closing, speaker, tabTitle } from './words.ts';

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
  expect(besides({ ...base, id: 'p4', kind: 'permission', call })).toBe('bash {\n  "command": "rm"\n}');
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
