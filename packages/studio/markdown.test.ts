import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Words } from './markdown.tsx';

const drawn = (text: string): string => renderToStaticMarkup(createElement(Words, { text }));

test.each([
  ['an element of HTML', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['a script', 'a <script>alert(1)</script>', '&lt;script&gt;'],
  ['a block of HTML', '<form action="/login">\n<input>\n</form>', '&lt;form'],
])('%s stays text', (_name, text, shown) => {
  expect(drawn(text)).toContain(shown);
  expect(drawn(text)).not.toMatch(/<(?:img|script|form|input)/);
});

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,hello)',
  '[x](/v1/stop)',
  '[x](#c_1)',
  '[x](//evil.example)',
  '![x](javascript:alert(1))',
  'a footnote[^1]\n\n[^1]: here',
])('%j leads nowhere', text => {
  expect(drawn(text)).not.toContain('href=');
});

test('a link says where it leads, and opens beside the page', () => {
  const html = drawn('see [the docs](https://example.org/a) or <mailto:ada@example.org>');
  expect(html).toContain(
    '<a href="https://example.org/a" title="https://example.org/a" target="_blank" rel="noopener noreferrer">the docs</a>',
  );
  expect(html).toContain('href="mailto:ada@example.org"');
});

test('a picture is a link, so that nothing is fetched', () => {
  const html = drawn('![a map](https://example.org/map.png)');
  expect(html).not.toContain('<img');
  expect(html).toContain('[picture: a map]</a>');
});

test('headings stand below those of the page, tasks are words, tables can be reached by keys', () => {
  expect(drawn('# One\n\n###### Six')).toBe('<div class="words"><h3>One</h3>\n<h3>Six</h3></div>');
  expect(drawn('- [x] a\n- [ ] b')).toMatch(/done: .*to do: /s);
  expect(drawn('|a|\n|-|\n|b|')).toContain('tabindex="0"');
});

test('a text too long to lay out is shown as it stands', () => {
  const text = '**a** '.repeat(20_000);
  expect(drawn(text)).toContain('<div class="words plain">**a** ');
});

test('a text that is laid out anew with every word is shown as it stands much sooner', () => {
  const text = 'some **words**\n\n'.repeat(1000);
  const growing = renderToStaticMarkup(createElement(Words, { text, writing: true }));
  expect(growing).toContain('<div class="words plain">some **words**');
  expect(drawn(text)).toContain('<strong>words</strong>');
});

test('a text that would keep the browser busy for minutes is shown as it stands', () => {
  expect(drawn(`${'- '.repeat(4000)}x`)).toContain('<div class="words plain">- - ');
});
