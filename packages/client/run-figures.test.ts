import { NO_SPEND } from '@hearth/protocol/spend.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { expect, test } from 'vitest';
import { runFacts } from './run-figures.ts';

const run: ConversationView['run'] = {
  id: 'r2',
  plan: `sha256:${'0'.repeat(64)}`,
  nodes: ['plan', 'search'],
};
const summary = { run: 'r2', status: 'working', spend: NO_SPEND, turns: 1, dropped: 0 } as const;

test('tells where a run stands, what it used, and what is left of each limit that it has', () => {
  const burst = { ...NO_SPEND, activeMs: 30_000, tokens: 40, costUsd: 0.5 };
  const limits = { tokens: { burst: 100 }, cost: { burst: 2, lifetime: 9 }, duration: { burst: 60_000 } };
  const lifetime = { ...burst, costUsd: null };
  const facts = runFacts(
    { run, budget: { burst, lifetime, limits } },
    { ...summary, spend: { ...NO_SPEND, activeMs: 1500, tokens: null, costUsd: null } },
  );
  expect(facts.map(({ label, text }) => `${label}: ${text}`)).toEqual([
    'Run: r2, working',
    'At: plan, search',
    'Used: 1.5 s, tokens not known, cost not known, in 1 turn',
    'Time since a person last answered (burst duration): 30.0 s of 1 min 0 s used, 30.0 s left',
    'Cost since a person last answered (burst cost): $0.5000 of $2.00 used, $1.50 left',
    'Cost of the conversation (lifetime cost): of $9.00, how much is used is not known',
    'Tokens since a person last answered (burst tokens): 40 of 100 used, 60 left',
  ]);
});

test('a limit that was overrun has nothing left, and a run that ended is at no node', () => {
  const budget = {
    burst: { ...NO_SPEND, iterations: 12 },
    lifetime: NO_SPEND,
    limits: { iterations: { burst: 10 } },
  };
  const texts = runFacts(
    { run, budget },
    { ...summary, run: 'r1', status: 'failed', code: 'boom', dropped: 3 },
  );
  expect(texts.map(fact => fact.text)).toEqual([
    'r1, failed (boom)',
    '0 ms, 0 tokens, $0.00, in 1 turn; commits that are not kept any more, or not whole, and not counted: 3',
    '12 of 10 used, 0 left',
  ]);
});
