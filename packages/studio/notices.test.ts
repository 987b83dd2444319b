import { expect, it } from 'vitest';
import { Notices } from './notices.ts';
import type { Notice } from './sheet.ts';

function noticed(): { notices: Notices; texts: () => readonly string[]; drawn: () => readonly Notice[] } {
  let drawn: readonly Notice[] = [];
  const notices = new Notices(all => {
    drawn = all;
  });
  return { notices, texts: () => drawn.map(({ text }) => text), drawn: () => drawn };
}

it('tells the same words once, as the last', () => {
  const { notices, texts } = noticed();
  for (const text of ['a', 'b', 'a']) notices.tell('error', text);
  expect(texts()).toEqual(['b', 'a']);
});

it('says of words that were not sent until a message was taken, and of all else until somebody dismisses it', () => {
  const { notices, texts, drawn } = noticed();
  notices.tell('error', 'That was not sent.', { unsent: true });
  notices.tell('warning', 'It was closed.');
  notices.taken();
  expect(texts()).toEqual(['It was closed.']);
  notices.dismiss(drawn()[0]?.id ?? 0);
  expect(texts()).toEqual([]);
});

it('is empty for another conversation', () => {
  const { notices, texts } = noticed();
  notices.tell('info', 'a');
  notices.clear();
  expect(texts()).toEqual([]);
});
