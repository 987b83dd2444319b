import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBundle } from './bots.ts';
import { readManifest } from './manifest.ts';

const MAIN = `vars:
  first: string = ""
  count: int = 0

schema said:
  message: string
  ok: bool

human chat:
  output: said

compute gate:
  output: said
  expr:
    message: "input.message"
    ok: "true"

workflow talk:
  entry: chat
  chat -> gate with { message: "{{outputs.chat.message}}" }
  gate -> done
`;

async function said(manifest: string): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'hearth-manifest-'));
  writeFileSync(join(root, 'main.bot'), MAIN);
  writeFileSync(join(root, 'manifest.yaml'), manifest);
  return (await checkBundle(root)).map(one => `${one.code} ${one.severity} ${one.at.line}`);
}

describe('what a manifest says of its workflow', () => {
  test.each([
    ['dispatch_vars: [first, gone]', 'C200 warning 1'],
    ['dispatch_vars:\n  gone: 1\n  first: x', 'C200 warning 2'],
    ['invocations:\n  - kind: x\n    context_vars: [gone]', 'C201 warning 3'],
    ['invocations:\n  - schedule:\n      default_vars: {gone: 1}', 'C202 warning 3'],
    ['forge:\n  webhook:\n    launch_vars: [gone]', 'C203 warning 3'],
    ['forge:\n  secret: gone', 'C210 warning 2'],
    ['invocations:\n  - args_var: gone', 'C204 warning 2'],
    ['chat:\n  nodes:\n    ghost: {kind: silent}', 'C205 error 3'],
    ['chat:\n  nodes:\n    constructor: {kind: silent}', 'C205 error 3'],
    ['chat:\n  nodes:\n    gate: {kind: human}', 'C206 error 3'],
    ['chat:\n  nodes:\n    chat:\n      kind: human\n      text_field: ok', 'C207 error 5'],
    ['chat:\n  nodes:\n    gate: {kind: banner, summary_field: gone}', 'C207 error 3'],
    ['chat:\n  nodes:\n    gate: {kind: banner, approved_field: message}', 'C207 error 3'],
    ['chat:\n  seed_var: count', 'C208 error 2'],
    ['chat:\n  launcher_vars: [first, count]', 'C209 error 2'],
    ['chat:\n  nodes:\n    chat: {kind: human, host_event_field: x}', 'C212 warning 3'],
    ['capabilities: [board.read]', 'C220 warning 1'],
    ['requires:\n  hearth: ">= 99.0.0"', 'C250 error 2'],
    ['requires:\n  hearth: ">= 0.0.1"', undefined],
    ['requires:\n  iterion: ">= 3.141.0"', 'C251 warning 2'],
    ['chat:\n  seed_var: first\n  launcher_vars: [first]', undefined],
    ['chat:\n  nodes:\n    chat: {kind: human, text_field: message}', undefined],
    ['chat:\n  nodes:\n    gate: {kind: banner, summary_field: message, approved_field: ok}', undefined],
    ['launch: {anything: 1}\nbudget: {max: 1}\nauthoring:\n  editable_files: [main.bot]', undefined],
  ])('%j', async (manifest, expected) => {
    expect(await said(`${manifest}\n`)).toEqual(expected === undefined ? [] : [expected]);
  });
});

describe('what is no manifest', () => {
  const levels = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
  test.each([
    ['aliases that unfold without end', `a0: &a0 [x]\n${levels.join('\n')}\n`, 'H201', 'aliases'],
    ['brackets without end', '['.repeat(100_000), 'H201', 'nested'],
    ['maps without end', '{a: '.repeat(100_000), 'H201', 'nested'],
    ['lists in lists', '- '.repeat(100_000), 'H201', 'nested'],
    ['an alias of itself', 'name: &a [*a]\n', 'H203', 'name'],
    ['an alias of nothing', 'name: *a\n', 'H201', 'YAML'],
    ['one key twice', 'name: a\nname: b\n', 'H201', '"name" twice'],
    ['one key twice further down', 'compat: {a: 1, b: {c: 1, c: 2}}\n', 'H201', '"c" twice'],
    ['two documents', 'name: a\n---\nname: b\n', 'H201', 'YAML'],
    ['a list', '- a\n', 'H203', 'The manifest is not'],
    ['a text', 'hello\n', 'H203', 'The manifest is not'],
    ['a future version of its own schema', 'schema_version: 2\n', 'H203', 'schema_version'],
  ])('%s', (_, text, code, words) => {
    const { manifest, diagnostics } = readManifest(text);
    expect(manifest).toBeNull();
    expect(diagnostics[0]).toMatchObject({
      code,
      severity: 'error',
      message: expect.stringContaining(words),
    });
    expect(diagnostics[0]?.message).toMatch(/^The .*\.$/);
  });

  test('every key that nobody knows is told, each at its place', () => {
    const keys = Array.from({ length: 2000 }, (_, at) => `k${at}: 1\n`);
    const { diagnostics } = readManifest(keys.join(''));
    expect(diagnostics.map(one => `${one.code} ${one.at.line}`)).toEqual(
      keys.map((_, at) => `H202 ${at + 1}`),
    );
  });

  test('any text is a manifest or told', () => {
    const piece = fc.constantFrom(
      'name',
      'chat',
      ': ',
      '\n',
      '  ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '&a ',
      '*a',
      '"',
      "'",
      '|',
      '!!',
      '#',
      '\t',
      '%',
      '---\n',
    );
    fc.assert(
      fc.property(
        fc.array(piece).map(parts => parts.join('')),
        text => {
          const { manifest, diagnostics } = readManifest(text);
          expect(manifest === null).toBe(diagnostics.length > 0);
        },
      ),
    );
  });
});

test('an empty manifest says nothing', () => {
  expect(readManifest('').manifest).toEqual({});
});

test.each([
  ['as: value', 'C211'],
  ['as: file', undefined],
])('a secret of the forge that is %s', async (form, code) => {
  const root = mkdtempSync(join(tmpdir(), 'hearth-manifest-'));
  writeFileSync(join(root, 'main.bot'), `dsl: 2\n\nsecrets:\n  key:\n    ${form}\n\n${MAIN}`);
  writeFileSync(join(root, 'manifest.yaml'), 'forge:\n  secret: key\n');
  const found = (await checkBundle(root)).map(one => one.code).filter(one => one !== 'H003');
  expect(found).toEqual(code === undefined ? [] : [code]);
});

test.each([
  ['chat:\n  seed_var: frist', 'first'],
  ['chat:\n  nodes:\n    caht: {kind: human}', 'chat'],
  ['chat:\n  nodes:\n    chat: {kind: human, text_field: mesage}', 'message'],
  ['dispatch_vars: [frist]', 'first'],
  ['nmae: x', 'name'],
  ['chat:\n  seed_vra: first', 'seed_var'],
])('%j is told what was probably meant', async (manifest, meant) => {
  const root = mkdtempSync(join(tmpdir(), 'hearth-manifest-'));
  writeFileSync(join(root, 'main.bot'), MAIN);
  writeFileSync(join(root, 'manifest.yaml'), `${manifest}\n`);
  expect(await checkBundle(root)).toMatchObject([{ fix: `did you mean \`${meant}\`?` }]);
});
