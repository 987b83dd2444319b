import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longest-first.ts';

const report = process.env['HEARTH_TEST_REPORT'];
const CACHE = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

export default defineConfig({
  test: {
    globalSetup: ['tests/support/run-temp.ts'],
    include: ['packages/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'tests/long/**', 'tests/bench/**', 'tests/agents/**'],
    // Much of a test's time goes by in processes that it waits for.
    maxWorkers: 3,
    // Files of one worker share what was loaded: to load it anew for each file took as long as all the tests. What a test
    // changes of its process (the environment, a listener, a file of the worker) it puts back.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Only guards against hanging; no test measures time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Hundreds of processes run the sources; what Node made of them once serves all.
    // No test takes the Claude Code of whoever runs it.
    env: { NO_COLOR: '1', HEARTH_CLAUDE: '/nowhere/claude', NODE_COMPILE_CACHE: CACHE },
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
