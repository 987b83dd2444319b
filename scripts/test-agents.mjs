// Fetches the programs of others that bots may use, and tests Hearth with the real ones. While the tests run nothing of
// them can leave this machine: they are in a network of their own with nothing but loopback, where the system offers one.
// Behind the tests nothing may be left: no process that worked for them, and no file among the temporary ones.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENTS, programOf } from './agents.mjs';

const temporary = mkdtempSync(join(tmpdir(), 'hearth-agents-'));
// One test works as another user below it.
chmodSync(temporary, 0o755);
const env = { ...process.env, TMPDIR: temporary };
for (const name of Object.keys(AGENTS)) {
  env[`HEARTH_TEST_${name.toUpperCase().replaceAll('-', '_')}`] = programOf(name);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const words = [
  process.execPath,
  vitest,
  'run',
  '--config',
  'vitest.agents.config.ts',
  ...process.argv.slice(2),
];

const ways = [
  ['unshare', '--net'],
  ['unshare', '--user', '--map-root-user', '--net'],
];
const alone = ways.find(
  ([command, ...args]) => spawnSync(command, [...args, 'sh', '-c', 'ip link set lo up']).status === 0,
);
if (alone === undefined) {
  // Whatever asks for the way out is sent to a port where nobody is.
  console.log(
    'This system offers no network of its own; the programs are given a way out that leads nowhere.',
  );
  Object.assign(env, {
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
  });
}
const [command, ...args] =
  alone === undefined ? words : [...alone, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...words];
const { status } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' });
const left = [...readdirSync(temporary), ...working(temporary).map(pid => `the process ${pid}`)];
rmSync(temporary, { recursive: true, force: true });
if (left.length > 0) console.error(`This was left behind the tests: ${left.join(', ')}.`);
process.exitCode = left.length > 0 ? 1 : (status ?? 1);

/** The processes that work for a directory: those whose environment names it. */
function working(directory) {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter(name => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const dead = /^State:\s+[ZX]/m.test(readFileSync(`/proc/${name}/status`, 'utf8'));
      return !dead && readFileSync(`/proc/${name}/environ`, 'utf8').includes(directory);
    } catch {
      return false;
    }
  });
}
