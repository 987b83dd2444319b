import type { Reporter, TestCase } from 'vitest/node';

/** Says of each test that passed at a second attempt why it failed at the first: nothing else would tell. */
export const retried: Reporter = {
  onTestCaseResult(test: TestCase) {
    const { state, errors } = test.result();
    if (state !== 'passed' || (test.diagnostic()?.retryCount ?? 0) === 0) return;
    const why = (errors ?? []).map(error => error.stack ?? error.message);
    console.error([`Passed at a further attempt: ${test.fullName}`, ...why].join('\n'));
  },
};
