import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checklist } from './checklist.ts';

const plain = (source: string) =>
  checklist(source).map(({ title, body, labels, state }) => ({
    title,
    body,
    labels: labels.join(' '),
    state: state ?? '',
  }));
const item = (title: string, rest: { body?: string; labels?: string; state?: string } = {}) => ({
  title,
  body: '',
  labels: '',
  state: '',
  ...rest,
});

test.each([
  [
    'an open and a ticked box',
    '- [ ] one\n- [x] two\n* [X] three',
    [item('one'), item('two', { state: 'done' }), item('three', { state: 'done' })],
  ],
  ['numbers, with and without a box', '1. one\n2) [x] two', [item('one'), item('two', { state: 'done' })]],
  [
    'indented text is the body',
    '- [ ] one\n  first\n\n    - [ ] sub\n- [ ] two',
    [item('one', { body: 'first\n\n  - [ ] sub' }), item('two')],
  ],
  ['tabs indent too', '- [ ] one\n\tbody', [item('one', { body: 'body' })]],
  [
    'blank lines around a body go',
    '- [ ] one\n\n  body\n\n\n- [ ] two',
    [item('one', { body: 'body' }), item('two')],
  ],
  [
    'headings become a label',
    '# Web UI & API\n- [ ] one\n## Später ##\n- [ ] two',
    [item('one', { labels: 'web-ui-api' }), item('two', { labels: 'später' })],
  ],
  [
    'label words leave the title',
    '- [ ] fix #login for #v2-beta, see #12',
    [item('fix for, see #12', { labels: 'login v2-beta' })],
  ],
  ['no label twice', '# Bug\n- [ ] one #bug #bug', [item('one', { labels: 'bug' })]],
  ['a plain bullet and prose are no items', 'Intro\n- note\n- [ ] one\nclosing words', [item('one')]],
  ['a fenced block is no source of items', '```\n- [ ] no\n# No\n```\n- [ ] yes', [item('yes')]],
  [
    'a fence inside a body stays there',
    '- [ ] one\n  ```\n  # code\n  ```\n- [ ] two',
    [item('one', { body: '```\n# code\n```' }), item('two')],
  ],
  [
    'CRLF and a byte order mark',
    '\uFEFF- [ ] one\r\n  body\r\n- [x] two\r\n',
    [item('one', { body: 'body' }), item('two', { state: 'done' })],
  ],
  ['an item without words keeps its place', '- [ ]\n- [ ] one', [item(''), item('one')]],
  ['nothing', '', []],
])('%s', (_, source, expected) => {
  expect(plain(source)).toEqual(expected);
});

test('lines are counted from 1', () => {
  expect(checklist('\n\n- [ ] one\n\n- [ ] two').map(({ line }) => line)).toEqual([3, 5]);
});

test('any text is read, and LF and CRLF alike', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('- [ ] a', '  b', '# c', '```', '1. d', '- [x] e #f', ''),
  );
  fc.assert(
    fc.property(fc.array(line), lines => {
      expect(checklist(lines.join('\r\n'))).toEqual(checklist(lines.join('\n')));
    }),
  );
});
