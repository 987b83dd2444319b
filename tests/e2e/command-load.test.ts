import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Hearth, LAUNCHER } from '../support/hearth.ts';
import { removeTemps, tempDirectory } from '../support/temp.ts';

/* How little a command loads, and a service until it serves; by far the most of their time goes to that. */

/** Tells at the end of a process, or when a service says that it serves, as the last line of its stderr, what was loaded. */
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
let told = false;
function tell() {
  if (told) return;
  told = true;
  facts.own = process.moduleLoadList.map(name => name.split(' ').at(-1));
  writeSync(2, JSON.stringify(facts) + '\\n');
}
process.on('exit', tell);
const { send } = process;
if (send !== undefined) {
  process.send = (...args) => {
    tell();
    return send.apply(process, args);
  };
}
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
  return factsIn(ran.err);
}

function factsIn(err: string): Facts {
  return JSON.parse(err.trim().split('\n').at(-1) ?? '');
}

/** What a service has loaded when it serves. */
async function loadedToServe(home: string): Promise<Facts> {
  const entry = join(dirname(LAUNCHER), '../packages/cli/serve-entry.js');
  const child = spawn(process.execPath, [entry, home], {
    cwd: root,
    env: { ...watched.env, HEARTH_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let err = '';
  child.stderr?.on('data', (text: Buffer) => (err += text.toString()));
  const gone = once(child, 'close');
  const [said] = await once(child, 'message');
  child.kill('SIGKILL');
  await gone;
  expect([said, err]).toEqual([expect.objectContaining({ is: 'ready' }), err]);
  return factsIn(err);
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

it('serves a home before what only its conversations need is loaded', async () => {
  const home = join(root, 'served');
  // The first start makes a conversation.
  await loadedToServe(home);
  const { bytes, own } = await loadedToServe(home);
  // All of it is six millions.
  expect(bytes).toBeLessThan(1_000_000);
  expect(own).toContain('_http_server');
  for (const part of ['internal/deps/undici/undici', 'http2', 'https', 'tls'])
    expect(own).not.toContain(part);
});
