import { expect, test } from 'vitest';
import { runFigures } from './run-figures.ts';
import { initialState } from './state.ts';
import { chatPlan } from './testing/sample-plan.ts';
import { sampleRun } from './testing/sample-run.ts';

const run = sampleRun({ id: 'r7' });

test('nothing used and nothing bounded', () => {
  expect(runFigures(chatPlan(), run, initialState().ledgers)).toEqual({
    id: 'r7',
    elapsed_seconds: 0,
    cost_usd: 0,
    tokens: 0,
    iterations: 0,
    max_duration_seconds: 0,
    max_cost_usd: 0,
    max_tokens: 0,
    max_iterations: 0,
  });
});

test('what the burst has used, in whole seconds, and its limits as a person raised them', () => {
  const plan = chatPlan({
    burst: { duration: 90_500, cost: 2, tokens: 10, iterations: 3 },
    lifetime: { cost: 100 },
  });
  const spend = { activeMs: 1999, tokens: 5, costUsd: null, iterations: 2, unpriced: 1 };
  const ledgers = {
    ...initialState().ledgers,
    burst: spend,
    raised: [{ ledger: 'burst' as const, axis: 'iterations' as const, to: 6 }],
  };
  expect(runFigures(plan, run, ledgers)).toEqual({
    id: 'r7',
    elapsed_seconds: 1,
    cost_usd: null,
    tokens: 5,
    iterations: 2,
    max_duration_seconds: 90,
    max_cost_usd: 2,
    max_tokens: 10,
    max_iterations: 6,
  });
});
