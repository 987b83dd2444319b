// Fetches the programs of others that bots may use, and tests Hearth with the real ones. While the tests run nothing of
// them can leave this machine: they are in a network of their own with nothing but loopback, where the system offers one.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AGENTS, programOf } from './agents.mjs';

const env = { ...process.env };
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
process.exitCode = status ?? 1;
