import { NO_SPEND } from '@hearth/protocol/spend.ts';
import { describe, expect, it } from 'vitest';
import { activeLeft, add, blocking, gauges, limitOf } from './budget.ts';
import { chatPlan } from './testing/sample-plan.ts';
import { initialState } from './state.ts';

const ledgers = (burst: Partial<typeof NO_SPEND> = {}, lifetime: Partial<typeof NO_SPEND> = {}) => ({
  ...initialState().ledgers,
  burst: { ...NO_SPEND, ...burst },
  lifetime: { ...NO_SPEND, ...lifetime },
});

describe('budgets', () => {
  it('bound only what the plan bounds', () => {
    expect(gauges(chatPlan(), ledgers({ costUsd: 1e9 }))).toEqual([]);
  });

  it('block from nine tenths on, whichever ledger it is', () => {
    const plan = chatPlan({ burst: { cost: 10 }, lifetime: { tokens: 1000 } });
    expect(blocking(plan, ledgers({ costUsd: 8.9 }, { tokens: 899 }))).toBeNull();
    expect(blocking(plan, ledgers({ costUsd: 9 }))).toMatchObject({ ledger: 'burst', axis: 'cost' });
    expect(blocking(plan, ledgers({}, { tokens: 900 }))).toMatchObject({
      ledger: 'lifetime',
      axis: 'tokens',
    });
  });

  it('follow what a person raised', () => {
    const raised = { ...ledgers(), raised: [{ ledger: 'burst', axis: 'cost', to: 20 } as const] };
    expect(limitOf(chatPlan({ burst: { cost: 10 } }), raised, 'burst', 'cost')).toBe(20);
  });

  it('leave the smallest rest of active time', () => {
    const plan = chatPlan({ burst: { duration: 1000 }, lifetime: { duration: 5000 } });
    expect(activeLeft(plan, ledgers({ activeMs: 400 }, { activeMs: 4900 }))).toBe(100);
    expect(activeLeft(chatPlan(), ledgers())).toBeNull();
  });

  it('R13.20: never take an unknown price for zero', () => {
    const unknown = { ...NO_SPEND, costUsd: null, unpriced: 1 };
    expect(add(unknown, unknown)).toMatchObject({ costUsd: null, unpriced: 2 });
    expect(add({ ...NO_SPEND, costUsd: 2 }, unknown)).toMatchObject({ costUsd: 2, unpriced: 1 });
  });
});
