import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { typed } from './testing/typed.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('draws a bundle as a chart, or as JSON', async () => {
  const chart = await typed(['graph', 'bots/whats-next'], ROOT);
  expect(chart).toMatchObject({ code: 0, err: '' });
  expect(chart.out).toMatch(/^flowchart TD\n/);
  expect(chart.out).toContain('"nexie<br/>agent"');
  expect((await typed(['graph', 'bots/whats-next'], ROOT)).out).toBe(chart.out);
  const json = await typed(['graph', '--json', 'bots/whats-next/main.bot'], ROOT);
  expect(JSON.parse(json.out)).toMatchObject({ name: 'whats_next', entry: 'seed' });
});

test('a source may come from stdin, and need not compile', async () => {
  const ran = await typed(['graph', '-'], ROOT, 'workflow w:\n  a -> b\n');
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('n1 --> n2') });
});

test.each([
  ['a source without a workflow', ['graph', '-'], /no workflow to draw/],
  ['a path at which nothing is', ['graph', 'nowhere'], /no bot at/],
])('%s is refused in one line', async (_what, words, sentence) => {
  const ran = await typed(words, ROOT, 'agent a:\n  model: "m"\n');
  expect(ran).toMatchObject({ code: 1, out: '' });
  expect(ran.err).toMatch(sentence);
  expect(ran.err).toMatch(/^hearth: [^\n]+\n$/);
});
