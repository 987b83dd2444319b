import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { typed } from './testing/typed.ts';

const MESSY = 'vars:\n      x:int=1 ## one\n';
const TIDY = 'vars:\n  x: int = 1  ## one\n';
const BROKEN = 'agent a:\n model: m.n\n';

let base = '';
const put = (path: string, text: string | Uint8Array): void => {
  mkdirSync(join(base, path, '..'), { recursive: true });
  writeFileSync(join(base, path), text);
};
const get = (path: string): string => readFileSync(join(base, path), 'utf8');

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hearth-fmt-'));
});

test('formats where the file is, keeps its mode, and names what changed', async () => {
  put('a.bot', MESSY);
  put('b.bot', TIDY);
  chmodSync(join(base, 'a.bot'), 0o640);
  expect(await typed(['fmt', 'a.bot', 'b.bot'], base)).toEqual({ code: 0, out: 'a.bot\n', err: '' });
  expect(get('a.bot')).toBe(TIDY);
  expect(statSync(join(base, 'a.bot')).mode & 0o777).toBe(0o640);
  expect(await typed(['fmt', 'a.bot', 'b.bot'], base)).toEqual({ code: 0, out: '', err: '' });
  expect(readdirSync(base).toSorted()).toEqual(['a.bot', 'b.bot']);
});

test('a link stays a link', async () => {
  put('far/a.bot', MESSY);
  symlinkSync(join('far', 'a.bot'), join(base, 'a.bot'));
  expect((await typed(['fmt', 'a.bot'], base)).code).toBe(0);
  expect(lstatSync(join(base, 'a.bot')).isSymbolicLink()).toBe(true);
  expect(get('far/a.bot')).toBe(TIDY);
});

test('a directory means the sources below it', async () => {
  put('bots/one/main.bot', MESSY);
  put('bots/two/old.iter', MESSY);
  put('bots/two/notes.md', MESSY);
  put('bots/.git/main.bot', MESSY);
  const ran = await typed(['fmt', 'bots'], base);
  expect(ran.out.trim().split('\n')).toEqual([
    join('bots', 'one', 'main.bot'),
    join('bots', 'two', 'old.iter'),
  ]);
  expect([get('bots/two/notes.md'), get('bots/.git/main.bot')]).toEqual([MESSY, MESSY]);
});

test('--check changes nothing and exits with 1 when something would', async () => {
  put('a.bot', MESSY);
  expect(await typed(['fmt', '--check', 'a.bot'], base)).toEqual({ code: 1, out: 'a.bot\n', err: '' });
  expect(get('a.bot')).toBe(MESSY);
  put('a.bot', TIDY);
  expect(await typed(['fmt', '--check', 'a.bot'], base)).toEqual({ code: 0, out: '', err: '' });
});

test('a source with errors of syntax is left alone, and the others are formatted', async () => {
  put('a.bot', BROKEN);
  put('b.bot', MESSY);
  const ran = await typed(['fmt', 'a.bot', 'b.bot'], base);
  expect(ran).toMatchObject({ code: 1, out: 'b.bot\n' });
  expect(ran.err).toMatch(/^hearth: a\.bot:2:\d+ E002 [^\n]+ left as it is\.\n$/);
  expect(get('a.bot')).toBe(BROKEN);
});

test('a file that is no text does not keep the others from being formatted', async () => {
  put('bots/a.bot', new Uint8Array([0xff, 0xfe]));
  put('bots/b.bot', MESSY);
  const ran = await typed(['fmt', 'bots'], base);
  expect(ran).toMatchObject({ code: 1, out: `${join('bots', 'b.bot')}\n` });
  expect(ran.err).toMatch(/^hearth: [^\n]+a\.bot is not UTF-8 text: [^\n]+\n$/);
});

test('goes from stdin to stdout', async () => {
  for (const words of [['--stdin'], ['-']]) {
    expect(await typed(['fmt', ...words], base, MESSY)).toEqual({ code: 0, out: TIDY, err: '' });
  }
  expect(await typed(['fmt', '--stdin', '--check'], base, MESSY)).toEqual({ code: 1, out: '', err: '' });
  expect(await typed(['fmt', '--stdin', '--check'], base, TIDY)).toEqual({ code: 0, out: '', err: '' });
  const broken = await typed(['fmt', '--stdin'], base, BROKEN);
  expect(broken).toMatchObject({ code: 1, out: '' });
  expect(broken.err).toContain('stdin:2:');
});

test.each([
  ['no path', ['fmt'], 64, /PATH/],
  ['a path beside --stdin', ['fmt', '--stdin', 'a.bot'], 64, /takes no paths/],
  ['a path at which nothing is', ['fmt', 'nowhere'], 1, /nothing at/],
  ['a directory without sources', ['fmt', 'empty'], 1, /no \.bot file/],
  ['a file that is no text', ['fmt', 'bytes.bot'], 1, /not UTF-8/],
])('%s is refused in one line', async (_what, words, code, sentence) => {
  mkdirSync(join(base, 'empty'));
  put('bytes.bot', new Uint8Array([0xff, 0xfe]));
  const ran = await typed(words, base);
  expect(ran).toMatchObject({ code, out: '' });
  expect(ran.err).toMatch(sentence);
  expect(ran.err).toMatch(/^hearth: [^\n]+\n$/);
});
