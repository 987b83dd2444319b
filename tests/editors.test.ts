import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { COMMANDS } from '@hearth/cli/commands.ts';
import { expect, test } from 'vitest';

/* The extension for VS Code: it names files that are there, and starts the command that is there. */

const FOLDER = fileURLToPath(new URL('../editors/vscode/', import.meta.url));
const manifest = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));

test('every file that the manifest names is there and is JSON', () => {
  const { languages, grammars } = manifest.contributes;
  for (const path of [languages[0].configuration, grammars[0].path]) {
    expect(() => JSON.parse(readFileSync(join(FOLDER, path), 'utf8'))).not.toThrow();
  }
  expect(existsSync(join(FOLDER, manifest.main))).toBe(true);
  expect(grammars[0].language).toBe(languages[0].id);
});

test('starts the language server with the command of the settings, and stops it', async () => {
  const calls: unknown[] = [];
  class LanguageClient {
    constructor(...words: readonly unknown[]) {
      calls.push(words);
    }
    start(): Promise<void> {
      calls.push('start');
      return Promise.resolve();
    }
    stop(): Promise<void> {
      calls.push('stop');
      return Promise.resolve();
    }
  }
  const modules: Readonly<Record<string, unknown>> = {
    vscode: { workspace: { getConfiguration: () => ({ get: () => '/opt/hearth' }) } },
    'vscode-languageclient/node': { LanguageClient },
  };
  const exported: { activate?: () => Promise<void>; deactivate?: () => Promise<void> } = {};
  const code = readFileSync(join(FOLDER, manifest.main), 'utf8');
  runInNewContext(code, { require: (name: string) => modules[name], exports: exported });
  await exported.activate?.();
  await exported.deactivate?.();
  const [[, , server, options], ...rest] = calls as [readonly unknown[], ...unknown[]];
  expect(server).toEqual({ command: '/opt/hearth', args: ['lsp'] });
  expect(options).toMatchObject({
    documentSelector: [{ language: manifest.contributes.languages[0].id }, {}, {}],
  });
  expect(rest).toEqual(['start', 'stop']);
  expect(COMMANDS.some(one => one.name === 'lsp')).toBe(true);
});
