import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { retried } from './tests/support/retried.ts';

const report = process.env['HEARTH_TEST_REPORT'];
const CACHE = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/* The programs of others behind bots: each is fetched, pointed at a provider on loopback, and put through the kit. */
export default defineConfig({
  test: {
    globalSetup: ['tests/support/run-temp.ts'],
    include: ['tests/agents/**/*.test.ts'],
    // Each turn is a process of a few hundred megabytes.
    maxWorkers: 2,
    // The programs are others', and what they do by themselves at a start is out of our hands: a second failure is ours.
    retry: 1,
    testTimeout: 120_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    env: { NO_COLOR: '1', NODE_COMPILE_CACHE: CACHE },
    reporters: [
      'default',
      retried,
      ...(report === undefined ? [] : [['json', { outputFile: report }] satisfies [string, unknown]]),
    ],
  },
});
