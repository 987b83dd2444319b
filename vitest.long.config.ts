import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['tests/support/run-temp.ts'],
    include: ['tests/long/**/*.test.ts'],
    // One file after another: each takes the cores that there are, and a storm is not to be one of its neighbours'.
    fileParallelism: false,
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // No test takes the Claude Code of whoever runs it.
    env: { NO_COLOR: '1', HEARTH_CLAUDE: '/nowhere/claude' },
  },
});
