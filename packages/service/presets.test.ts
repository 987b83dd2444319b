import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { BundleBots, checkBundle } from './bots.ts';
import { readPreset } from './presets.ts';

const MAIN = `vars:
  s: string = ""
  i: int = 0
  f: float = 0.5
  b: bool = false
  j: json = "{}"
  l: string[] = ""

presets:
  quick:
    i: 1

schema words:
  message: string

human chat:
  output: words

workflow talk:
  entry: chat
  chat -> done
`;

type Files = Readonly<Record<string, string>>;

function bundle(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), 'hearth-presets-'));
  for (const [name, text] of Object.entries({ 'main.bot': MAIN, ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

function packed(files: Files): string {
  const path = join(mkdtempSync(join(tmpdir(), 'hearth-presets-')), 'talker.botz');
  const all = Object.entries({ 'main.bot': MAIN, ...files });
  writeFileSync(path, zipSync(Object.fromEntries(all.map(([name, text]) => [name, Buffer.from(text)]))));
  return path;
}

const said = async (path: string): Promise<readonly string[]> =>
  (await checkBundle(path)).map(
    one => `${one.code} ${one.severity} ${one.file}:${one.at.line}:${one.at.column}`,
  );
const saidOf = (head: string): Promise<readonly string[]> =>
  said(bundle({ 'presets/deep.md': `---\n${head}\n---\n` }));

const DEEP = `---
s: all of it
i: 5
f: 2
b: true
j: [1, "two"]
l: [src, docs]
---
# Deep

Reads everything,
and takes its time.

Not for every day.
`;

test.each([
  ['a directory', bundle],
  ['a packed bundle', packed],
])('%s has the presets of its graph and those of its files', async (_, make) => {
  const path = make({ 'presets/deep.md': DEEP, 'presets/plain.md': 'Nothing is set.\n' });
  expect(await said(path)).toEqual([]);
  const { plan, sources } = await new BundleBots().load(path);
  expect(plan.presets).toEqual({
    deep: { s: 'all of it', i: 5, f: 2, b: true, j: [1, 'two'], l: ['src', 'docs'] },
    plain: {},
    quick: { i: 1 },
  });
  expect(plan.presetNotes).toEqual({
    deep: 'Reads everything, and takes its time.',
    plain: 'Nothing is set.',
  });
  expect(sources['presets/deep.md']).toBe(DEEP);
});

test('a list and a text set a list of strings alike, and a text is read as JSON', async () => {
  const path = bundle({ 'presets/x.md': '---\nl: "src, docs"\nj: \'{"a": 1}\'\n---' });
  const { plan } = await new BundleBots().load(path);
  expect(plan.presets?.['x']).toEqual({ l: ['src', 'docs'], j: { a: 1 } });
  expect(plan.presetNotes).toBeUndefined();
});

test('a preset of the graph comes before a file of its name, which is then not looked at', async () => {
  const path = bundle({ 'presets/quick.md': '---\ni: two\ngone: 1\n---\nNever.\n' });
  expect(await said(path)).toEqual(['H210 warning presets/quick.md:1:1']);
  const { plan } = await new BundleBots().load(path);
  expect(plan.presets).toEqual({ quick: { i: 1 } });
  expect(plan.presetNotes).toBeUndefined();
});

describe('what a file sets is held to the vars', () => {
  const at = (code: string, line: number, column: number): string =>
    `${code} error presets/deep.md:${line}:${column}`;
  test.each<[string, string, readonly string[]]>([
    ['an unknown var, at its name', 'i: 1\ngone: 1', [at('C070', 3, 1)]],
    ['a text for an int, at the value', 'i: "1"', [at('C071', 2, 4)]],
    ['a fraction for an int', 'i: 1.0', [at('C071', 2, 4)]],
    ['an int with an exponent', 'i: 1e3', [at('C071', 2, 4)]],
    ['a number for a text', 's: 1', [at('C071', 2, 4)]],
    ['a word that is no bool', 'b: yes', [at('C071', 2, 4)]],
    ['a number for JSON', 'j: 1', [at('C071', 2, 4)]],
    ['a map for JSON', 'j: { a: 1 }', [at('C071', 2, 4)]],
    ['nothing', 's: null', [at('C071', 2, 4)]],
    ['numbers in a list of strings', 'l: [1]', [at('C071', 2, 4)]],
    ['a list for a text', 's: [a]', [at('C071', 2, 4)]],
    ['a number without end', 'f: .inf', [at('C071', 2, 4)]],
    ['an int that no number holds', 'i: 99999999999999999999', [at('C071', 2, 4)]],
    ['an int and fractions for a float', 'f: -3', []],
    ['a fraction for a float', 'f: 1e-3', []],
    ['a name that objects have', '__proto__: 1', [at('C070', 2, 1)]],
  ])('%s', async (_, head, expected) => {
    expect(await saidOf(head)).toEqual(expected);
  });

  test('the nearest var is offered', async () => {
    const [one] = await checkBundle(bundle({ 'presets/deep.md': '---\nll: a\n---\n' }));
    expect(one?.fix).toBe('did you mean `l`?');
  });
});

describe('a front matter that cannot be read', () => {
  test.each([
    ['that is no YAML', 'i: [1', 2],
    ['with a var twice', 'i: 1\ni: 2', 3],
    ['that is a list', '- i', 2],
    ['that is a word', 'quick', 2],
  ])('%s', async (_, head, line) => {
    const [one, ...more] = await saidOf(head);
    expect(one).toMatch(new RegExp(`^H209 error presets/deep.md:${line}:`));
    expect(more).toEqual([]);
  });

  test('that is never closed', async () => {
    expect(await said(bundle({ 'presets/deep.md': '---\ni: 1\n' }))).toEqual([
      'H209 error presets/deep.md:1:1',
    ]);
  });
});

test.each([
  ['---\n---\nFor nothing.', 'For nothing.'],
  ['---\r\ni: 1\r\n---\r\n\r\n## Windows\r\nLines\r\nof it.\r\n\r\nMore.', 'Lines of it.'],
  ['', ''],
  ['# Only a heading', ''],
  ['Words\n---\nand a line.', 'Words --- and a line.'],
])('%j is for %j', (text, note) => {
  const { preset, diagnostics } = readPreset('x', text);
  expect(diagnostics).toEqual([]);
  expect(preset.note).toBe(note);
});
