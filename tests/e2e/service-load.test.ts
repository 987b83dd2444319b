import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { Hearth, LAUNCHER } from '../support/hearth.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* How little the service loads before it serves; by far the most of a start goes to that. */

const ENTRY = join(dirname(LAUNCHER), '../packages/cli/serve-entry.js');

/** Tells of each file that is loaded, on stderr. */
const WATCH = `
import { readFileSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) {
      const source = readFileSync(fileURLToPath(url), 'utf8');
      writeSync(2, JSON.stringify({ bytes: source.length, compiles: source.includes('function compileBundle(') }) + '\\n');
    }
    return next(url, context);
  },
});
`;

afterAll(() => removeTemps());

it('serves before it loads what only a bot, an archive or a recording needs, from few files, and then loads what a bot needs', async () => {
  const root = tempDirectory('load');
  mkdirSync(root, { recursive: true });
  const watch = join(root, 'watch.mjs');
  writeFileSync(watch, WATCH);
  const home = join(root, 'home');
  const child = spawn(process.execPath, [`--import=${pathToFileURL(watch).href}`, ENTRY, home], {
    cwd: root,
    env: new Hearth(home, root).env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const files: { bytes: number; compiles: boolean }[] = [];
  const prepared = Promise.withResolvers<void>();
  createInterface(child.stderr!).on('line', line => {
    files.push(JSON.parse(line));
    if (files.at(-1)?.compiles === true) prepared.resolve();
  });
  const [message] = await once(child, 'message');
  expect(message).toMatchObject({ is: 'ready' });
  const before = [...files];
  expect(before.some(file => file.compiles)).toBe(false);
  expect(before.length).toBeLessThan(30);
  // All of it is five millions.
  expect(before.reduce((sum, file) => sum + file.bytes, 0)).toBeLessThan(2_000_000);
  await prepared.promise;
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
