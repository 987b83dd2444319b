import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { typed } from './testing/typed.ts';

const base = mkdtempSync(join(tmpdir(), 'hearth-check-'));
const put = (path: string, text: string): string => {
  mkdirSync(join(base, path, '..'), { recursive: true });
  writeFileSync(join(base, path), text);
  return path;
};

const GOOD = 'agent a:\n  model: "m"\n\nworkflow w:\n  entry: a\n  a -> done\n';
const WARNED = GOOD.replace('"m"', '"m"\n  capabilities: [board.reed]');
const BAD = GOOD.replace('-> done', '-> dune');

put('good.bot', GOOD);
put('late.iter', GOOD);
put('warned.bot', WARNED);
put('bad.bot', BAD);
put('bundle/main.bot', GOOD.replace('"m"', '"m"\n  user: said'));
put('bundle/prompts/said.md', 'Hello\n{{vars.nope}}\n');
mkdirSync(join(base, 'empty'));

test('one path is one object with exactly these members', async () => {
  const ran = await typed(['check', '--json', 'bad.bot'], base);
  expect(ran).toMatchObject({ code: 1, err: '' });
  expect(JSON.parse(ran.out)).toEqual({
    path: 'bad.bot',
    ok: false,
    diagnostics: [
      {
        code: 'C001',
        severity: 'error',
        line: 6,
        column: 8,
        edge: 'a -> dune',
        message: expect.stringContaining('`dune`'),
        hint: expect.stringContaining('`done`'),
      },
    ],
  });
});

test('several paths are an array in their order; a warning is no failure', async () => {
  const ran = await typed(['check', '--json', 'good.bot', 'late.iter', 'warned.bot'], base);
  expect(ran.code).toBe(0);
  expect(JSON.parse(ran.out)).toMatchObject([
    { path: 'good.bot', ok: true, diagnostics: [] },
    { path: 'late.iter', ok: true, diagnostics: [] },
    {
      path: 'warned.bot',
      ok: true,
      diagnostics: [{ code: 'C080', severity: 'warning', node: 'a', line: 3 }],
    },
  ]);
  expect((await typed(['check', 'good.bot', 'bad.bot'], base)).code).toBe(1);
});

test('what is wrong in another file of a bundle names that file', async () => {
  const ran = await typed(['check', '--json', 'bundle'], base);
  expect(ran.code).toBe(1);
  const { diagnostics } = JSON.parse(ran.out) as { diagnostics: unknown[] };
  expect(diagnostics).toMatchObject([{ code: 'C033', line: 2, file: 'prompts/said.md' }]);
  expect((await typed(['check', 'bundle'], base)).out).toMatch(/^bundle\/prompts\/said\.md:2:1 C033 error /);
});

test('a packed bundle is named once, and so is what is in it', async () => {
  put('torn.botz', 'no archive');
  const torn = await typed(['check', 'torn.botz'], base);
  expect(torn).toMatchObject({ code: 1, err: '' });
  expect(torn.out).toMatch(/^torn\.botz:1:1 H\d{3} error /);
  expect((await typed(['check', 'bundle/main.bot'], base)).out).toMatch(/^bundle\/prompts\/said\.md:2:1 /);
});

test('a source may come from stdin', async () => {
  expect(await typed(['check', '-'], base, GOOD)).toMatchObject({ code: 0, out: 'stdin: no errors\n' });
  const ran = await typed(['check', '-', '--json'], base, BAD);
  expect(ran.code).toBe(1);
  expect(JSON.parse(ran.out)).toMatchObject({ path: '-', ok: false, diagnostics: [{ code: 'C001' }] });
  expect((await typed(['check', '-'], base, BAD)).out).toMatch(/^stdin:6:8 C001 error .*\n {2}fix: /);
});

test.each([
  ['nothing is there', ['nowhere.bot'], /There is no bot at .*nowhere\.bot/],
  ['a directory is no bundle', ['empty'], /no bundle/],
])('when %s, one sentence says so', async (_what, words, sentence) => {
  const ran = await typed(['check', ...words], base);
  expect(ran).toMatchObject({ code: 1, out: '' });
  expect(ran.err).toMatch(sentence);
  expect(ran.err).toMatch(/^hearth: [^\n]+\n$/);
});

test('a path at which no bot is does not keep the others from being checked', async () => {
  writeFileSync(join(base, 'both.bot'), GOOD);
  const ran = await typed(['check', 'nowhere.bot', 'both.bot'], base);
  expect(ran).toMatchObject({ code: 1, err: '' });
  expect(ran.out).toMatch(/^nowhere\.bot:1:1 H208 error There is no bot at [^\n]+\nboth\.bot: no errors\n$/);
  const json = await typed(['check', '--json', 'nowhere.bot', 'both.bot'], base);
  expect(JSON.parse(json.out)).toMatchObject([
    { path: 'nowhere.bot', ok: false, diagnostics: [{ code: 'H208', line: 1, column: 1 }] },
    { path: 'both.bot', ok: true, diagnostics: [] },
  ]);
});

test('bytes on stdin that are no text are refused', async () => {
  const ran = await typed(['check', '-'], base, new Uint8Array([0x61, 0xff]));
  expect(ran).toMatchObject({ code: 1, out: '' });
  expect(ran.err).toContain('not UTF-8');
});

test('what is wrong with a preset of a bundle is told with its file', async () => {
  put('preset/main.bot', `vars:\n  depth: int = 1\n\n${GOOD}`);
  put('preset/presets/deep.md', '---\ndetph: 5\n---\n');
  const { out } = await typed(['check', '--json', 'preset'], base);
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    diagnostics: [
      { code: 'C070', line: 2, column: 1, file: 'presets/deep.md', hint: 'did you mean `depth`?' },
    ],
  });
  const told = await typed(['check', 'preset'], base);
  expect(told.out).toMatch(/^preset\/presets\/deep\.md:2:1 C070 error /);
});
