import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CompletionRequest,
  DefinitionRequest,
  DocumentFormattingRequest,
  DocumentSymbolRequest,
  ExitNotification,
  HoverRequest,
} from 'vscode-languageserver-protocol/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scaffold } from './scaffold.ts';
import { LanguageClient } from './testing/language-client.ts';

/*
 * The language server as an editor meets it: a process of its own, spoken to by the protocol.
 */

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hearth-lsp-')));
for (const [path, text] of scaffold('bot')) {
  mkdirSync(dirname(join(base, 'bot', path)), { recursive: true });
  writeFileSync(join(base, 'bot', path), text);
}
const main = join(base, 'bot', 'main.bot');
const manner = join(base, 'bot', 'prompts', 'manner.md');

const SMALL =
  'schema s:\n  ok: bool\n\nagent a:\n  model: "m"\n  output: s\n\nworkflow w:\n  entry: a\n  a -> done when ok\n  a -> fail\n';

const client = new LanguageClient();
beforeAll(async () => {
  await client.start();
});
afterAll(() => {
  client.process.kill();
});

describe('diagnostics', () => {
  test('come as one types, and go', async () => {
    const uri = await client.open(main);
    expect(await client.diagnostics(uri)).toEqual([]);
    const at = client.place(uri, '-> |chat with');
    await client.change(uri, 'cha', { start: at, end: { line: at.line, character: at.character + 4 } });
    const [first] = await client.diagnostics(uri);
    expect(first).toMatchObject({
      code: 'C001',
      severity: 1,
      source: 'hearth',
      message: expect.stringContaining('`chat`'),
      range: { start: at, end: { line: at.line, character: at.character + 3 } },
    });
    await client.change(uri, 't', {
      start: { line: at.line, character: at.character + 3 },
      end: { line: at.line, character: at.character + 3 },
    });
    expect(await client.diagnostics(uri)).toEqual([]);
    await client.close(uri);
  });

  test('of a burst of edits are those of the last', async () => {
    const uri = await client.open('untitled:burst.bot', SMALL);
    await client.diagnostics(uri);
    const before = client.heard;
    const start = { line: 0, character: 0 };
    for (let edit = 0; edit < 100; edit += 1) await client.change(uri, 'x', { start, end: start });
    expect(await client.diagnostics(uri)).toMatchObject([{ code: 'E001' }, { code: 'C002' }]);
    expect(client.heard - before).toBeLessThan(100);
    await client.close(uri);
  });

  test('of a prompt in a file of its own are shown there, before it is saved', async () => {
    const graph = await client.open(main);
    const uri = await client.open(manner, 'You work on {{vars.nope}}.\n', 'markdown');
    expect(await client.diagnostics(uri)).toMatchObject([
      { code: 'C033', range: { start: { line: 0, character: 12 }, end: { line: 0, character: 25 } } },
    ]);
    await client.change(uri, 'You work.\n');
    expect(await client.diagnostics(uri)).toEqual([]);
    await client.close(uri);
    await client.close(graph);
  });

  test('of a manifest too', async () => {
    const uri = await client.open(join(base, 'bot', 'manifest.yaml'), 'name: x\ncolour: red\n', 'yaml');
    expect(await client.diagnostics(uri)).toMatchObject([{ code: 'H202', range: { start: { line: 1 } } }]);
    await client.close(uri);
  });

  test('count in UTF-16 units, behind characters outside the basic plane and with CRLF', async () => {
    const uri = await client.open('untitled:wide', SMALL.replace('"m"', '"𝒳𝒳" x').replaceAll('\n', '\r\n'));
    const [first] = await client.diagnostics(uri);
    expect(first).toMatchObject({
      code: 'E012',
      range: { start: { line: 4, character: 16 }, end: { line: 4, character: 17 } },
    });
    await client.close(uri);
  });
});

test('a request that names no document, or no place, is refused as such', async () => {
  const send = (method: string, params?: object): Promise<unknown> =>
    client.connection.sendRequest(method, params).then(
      () => null,
      (error: unknown) => error,
    );
  const refused = { code: -32602 };
  expect(await send('textDocument/hover')).toMatchObject(refused);
  expect(await send('textDocument/hover', {})).toMatchObject({
    ...refused,
    message: 'The request names no `params.textDocument.uri`: send it.',
  });
  expect(await send('textDocument/formatting', {})).toMatchObject(refused);
  expect(await send('textDocument/completion', { textDocument: { uri: 'untitled:x' } })).toMatchObject({
    ...refused,
    message: 'The request names no `params.position`: send it.',
  });
  expect(await send('textDocument/codeAction', { textDocument: { uri: 'untitled:x' } })).toBeNull();
});

describe('in a document', () => {
  test('hover tells what a name is, and what a word of the language is', async () => {
    const uri = await client.open(main);
    const hover = async (piece: string): Promise<string> => {
      const found = await client.connection.sendRequest(HoverRequest.type, {
        textDocument: { uri },
        position: client.place(uri, piece),
      });
      return JSON.stringify(found?.contents ?? null);
    };
    expect(await hover('seed -> assis|tant with')).toContain('agent assistant:');
    expect(await hover('output: t|urn')).toContain('schema turn:');
    expect(await hover('{{outputs.assistant.re|ply}}')).toContain('of the schema `turn`');
    expect(await hover('vars.initial_m|essage')).toContain('initial_message: string');
    expect(await hover('system: man|ner')).toContain('prompts/manner.md');
    expect(await hover('sess|ion: inherit')).toContain('`session: fresh | inherit');
    expect(await hover('worktree: none|')).toBe('null');
    await client.close(uri);
  });

  test('a definition may be in a file of its own', async () => {
    const uri = await client.open(main);
    const definition = (piece: string): Promise<unknown> =>
      client.connection.sendRequest(DefinitionRequest.type, {
        textDocument: { uri },
        position: client.place(uri, piece),
      });
    const node = client.place(uri, 'agent |assistant:');
    expect(await definition('seed -> assis|tant with')).toMatchObject({ uri, range: { start: node } });
    const field = client.place(uri, '|quick_replies: json');
    expect(await definition('{{outputs.assistant.quick_|replies}}')).toMatchObject({
      uri,
      range: { start: field },
    });
    expect(await definition('system: man|ner')).toMatchObject({ uri: pathToFileURL(manner).href });
    expect(await definition('-> do|ne when')).toBeNull();
    await client.close(uri);
  });

  test('completion offers what the place takes, in broken text too', async () => {
    const uri = await client.open('untitled:typing', SMALL.replace('  a -> fail\n', '  a -> \n'));
    const found = await client.connection.sendRequest(CompletionRequest.type, {
      textDocument: { uri },
      position: client.place(uri, '  a -> |\n'),
    });
    const labels = (Array.isArray(found) ? found : []).map(one => one.label);
    expect(labels).toEqual(['a', 'done', 'fail']);
    await client.close(uri);
  });

  test('formatting changes what must change; a broken source stays', async () => {
    const uri = await client.open('untitled:messy', SMALL.replace('  ok: bool', '      ok :bool'));
    const format = (): Promise<unknown> =>
      client.connection.sendRequest(DocumentFormattingRequest.type, {
        textDocument: { uri },
        options: { tabSize: 8, insertSpaces: false },
      });
    expect(await format()).toEqual([
      { range: { start: { line: 1, character: 2 }, end: { line: 1, character: 10 } }, newText: 'ok: ' },
    ]);
    await client.change(uri, 'agent a:\n model: m.n\n');
    expect(await format()).toEqual([]);
    await client.close(uri);
  });

  test('the outline has every declaration', async () => {
    const uri = await client.open('untitled:outline', SMALL);
    const found = await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri } });
    expect(found).toMatchObject([
      { name: 's', detail: 'schema', children: [{ name: 'ok' }] },
      { name: 'a', detail: 'agent', selectionRange: { start: { line: 3, character: 6 } } },
      { name: 'w', detail: 'workflow' },
    ]);
    await client.close(uri);
  });
});

test('a document that is not of the language gets no answer and no error', async () => {
  const uri = await client.open(join(base, 'notes.md'), 'agent a:\n', 'markdown');
  const at = { textDocument: { uri }, position: { line: 0, character: 2 } };
  expect(await client.connection.sendRequest(HoverRequest.type, at)).toBeNull();
  expect(await client.connection.sendRequest(CompletionRequest.type, at)).toBeNull();
  await client.close(uri);
});

test.each([
  ['nothing', ''],
  ['half a pair of units', 'agent \ud800:\n  model: "\udc00'],
  ['open ends', 'workflow w:\n  a -> b with { x: "{{outputs.'],
  ['a tab, a mark and a zero', '\ufeff\tagent a:\n\u0000 | `'],
  ['lone carriage returns', 'agent a:\r  model: "m"\r'],
  [
    'deep nesting',
    `workflow w:\n${Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}x:\n`).join('')}`,
  ],
])('any document gets answers: %s', async (_what, text) => {
  const uri = await client.open('untitled:odd', text);
  const at = { textDocument: { uri }, position: { line: 1, character: 3 } };
  const { connection } = client;
  await client.diagnostics(uri);
  await connection.sendRequest(HoverRequest.type, at);
  await connection.sendRequest(DefinitionRequest.type, at);
  await connection.sendRequest(CompletionRequest.type, at);
  await connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri } });
  await client.close(uri);
});

describe('the end', () => {
  test('after shutdown the exit code is 0', async () => {
    const other = new LanguageClient();
    await other.start();
    expect(await other.stop()).toBe(0);
  });

  test('without shutdown it is 1', async () => {
    const other = new LanguageClient();
    await other.start();
    await other.connection.sendNotification(ExitNotification.type);
    expect(await other.ended).toBe(1);
  });

  test('a client that is gone ends the server', async () => {
    const other = new LanguageClient();
    await other.start();
    other.process.stdin?.end();
    expect(await other.ended).toBe(1);
  });
});
