import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CodeActionRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
} from 'vscode-languageserver-protocol/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scaffold } from './scaffold.ts';
import { LanguageClient } from './testing/language-client.ts';

/*
 * References, renaming and quick fixes, over the graph and the prompts of a bundle that have files of their own.
 */

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-lsp-')));
for (const [path, text] of scaffold('bot')) {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}
const main = join(base, 'main.bot');
const manner = join(base, 'prompts', 'manner.md');
writeFileSync(manner, `${readFileSync(manner, 'utf8')}\nThe first words were {{vars.initial_message}}.\n`);

const client = new LanguageClient();
let uri = '';
beforeAll(async () => {
  await client.start();
  uri = await client.open(main);
});
afterAll(() => {
  client.process.kill();
});

const at = (
  piece: string,
): { textDocument: { uri: string }; position: ReturnType<LanguageClient['place']> } => ({
  textDocument: { uri },
  position: client.place(uri, piece),
});

test('references are found in prompts too', async () => {
  const found = await client.connection.sendRequest(ReferencesRequest.type, {
    ...at('initial_m|essage: string'),
    context: { includeDeclaration: false },
  });
  expect((found ?? []).map(one => one.uri)).toEqual([uri, pathToFileURL(manner).href]);
});

test('renaming changes every place, and nothing else', async () => {
  const renamed = await client.connection.sendRequest(RenameRequest.type, {
    ...at('seed -> assis|tant with'),
    newName: 'helper',
  });
  const edits = renamed?.changes?.[uri] ?? [];
  const lines = readFileSync(main, 'utf8').split('\n');
  for (const { range, newText } of edits) {
    expect(newText).toBe('helper');
    expect(lines[range.start.line]?.slice(range.start.character, range.end.character)).toBe('assistant');
  }
  const code = lines.map(line => (line.startsWith('##') ? '' : line)).join('\n');
  expect(edits).toHaveLength(code.split(/\bassistant\b/).length - 1);
});

test('what cannot be renamed is refused', async () => {
  expect(await client.connection.sendRequest(PrepareRenameRequest.type, at('{{input.re|ply}}'))).toBeNull();
  expect(await client.connection.sendRequest(PrepareRenameRequest.type, at('-> do|ne when'))).toBeNull();
  for (const [newName, why] of [
    ['two words', /no name/],
    ['chat', /already/],
  ] as const) {
    const asked = client.connection.sendRequest(RenameRequest.type, { ...at('agent assis|tant:'), newName });
    await expect(asked).rejects.toThrow(why);
  }
});

test('a quick fix writes the word that was meant', async () => {
  const typo = await client.open(
    'untitled:typo',
    'agent a:\n  model: "m"\n  sesion: fresh\n\nworkflow w:\n  entry: a\n  a -> done\n',
  );
  const diagnostics = [...(await client.diagnostics(typo))];
  const [first] = diagnostics;
  expect(first).toMatchObject({ code: 'E012' });
  if (first === undefined) return;
  const actions = await client.connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri: typo },
    range: first.range,
    context: { diagnostics },
  });
  expect(actions).toMatchObject([
    { kind: 'quickfix', edit: { changes: { [typo]: [{ range: first.range, newText: 'session' }] } } },
  ]);
  await client.close(typo);
});
