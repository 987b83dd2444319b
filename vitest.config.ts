import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'tests/long/**', 'tests/bench/**'],
    // Only a guard against hanging; no test measures time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: '1' },
  },
});
