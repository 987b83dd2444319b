import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Hearth } from '../support/hearth.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* How little a command loads; by far the most of its time goes to that. */

/** Tells at the end of a process, as the last line of its stderr, what was loaded. */
const WATCH = `
import { statSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
const facts = { bytes: 0, own: [] };
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) facts.bytes += statSync(fileURLToPath(url)).size;
    return next(url, context);
  },
});
process.on('exit', () => {
  facts.own = process.moduleLoadList.map(name => name.split(' ').at(-1));
  writeSync(2, JSON.stringify(facts) + '\\n');
});
`;

/** Bytes of Hearth's own files, and the names of the parts of Node. */
interface Facts {
  readonly bytes: number;
  readonly own: readonly string[];
}

const root = tempDirectory('load');
const watch = join(root, 'watch.mjs');
const hearth = new Hearth(join(root, 'home'), root);
const watched = new Hearth(hearth.home, root, { NODE_OPTIONS: `--import=${pathToFileURL(watch).href}` });

async function loaded(command: string): Promise<Facts> {
  const ran = await watched.run([command]);
  expect(ran.code).toBe(0);
  return JSON.parse(ran.err.trim().split('\n').at(-1) ?? '');
}

beforeAll(async () => {
  mkdirSync(root, { recursive: true });
  writeFileSync(watch, WATCH);
  expect((await hearth.run(['list'])).code).toBe(0);
});
afterAll(async () => {
  await hearth.stop();
  removeTemps();
});

it('loads next to nothing to tell its version', async () => {
  expect((await loaded('--version')).bytes).toBeLessThan(60_000);
});

it.each(['status', 'list'])(
  'asks a service that runs without what only some commands need: %s',
  async command => {
    const { bytes, own } = await loaded(command);
    // All of it is six millions.
    expect(bytes).toBeLessThan(600_000);
    expect(own).toContain('_http_client');
    for (const part of ['internal/deps/undici/undici', 'sqlite', 'child_process', 'crypto', 'tls'])
      expect(own).not.toContain(part);
  },
);
