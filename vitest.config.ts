import { defineConfig } from 'vitest/config';

const report = process.env['HEARTH_TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'tests/long/**', 'tests/bench/**'],
    // Much of a test's time goes by in processes that it waits for.
    maxWorkers: 3,
    // Only guards against hanging; no test measures time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    env: { NO_COLOR: '1' },
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
