import { expect, test } from 'vitest';
import { costOf, factsOf } from './models.ts';
import { PROVIDERS } from './providers.ts';

const tokens = { input: 1_000_000, output: 100_000, cacheRead: 600_000, cacheWrite: 100_000 };

test.each<[string, string, number | null, number | null]>([
  // 300 000 plain, 600 000 read from the cache and 100 000 written to it, and the output.
  ['anthropic', 'claude-sonnet-4-5', 200_000, 0.9 + 0.18 + 0.375 + 1.5],
  ['anthropic', 'claude-sonnet-4-5-20250929', 200_000, 0.9 + 0.18 + 0.375 + 1.5],
  ['openai', 'gpt-4o-mini', 128_000, 0.045 + 0.045 + 0.015 + 0.06],
  ['openai', 'gpt-4o-mini-2024-07-18', 128_000, 0.045 + 0.045 + 0.015 + 0.06],
  ['anthropic', 'claude-sonnet-5', 1_000_000, 0.6 + 0.12 + 0.25 + 1],
  ['anthropic', 'claude-sonnet-5-9', null, null],
  // A prompt above 272 000 tokens is charged as a long one, all of it.
  ['openai', 'gpt-6.1-sol', 1_050_000, 1.2 + 0.12 + 0.4 + 1.5],
  ['anthropic', 'claude-unheard-of', null, null],
  ['openai', 'gpt-5.1-unheard-of', null, null],
  ['ollama', 'gpt-4o', null, null],
])('%s %s has a window of %j and costs %j', (provider, model, window, cost) => {
  const facts = factsOf(provider, model);
  expect(facts.window).toBe(window);
  const found = costOf(facts, tokens);
  if (cost === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(cost, 9);
});

test('up to its limit a prompt is charged as a short one', () => {
  const short = { input: 272_000, output: 0, cacheRead: 0, cacheWrite: 0 };
  const facts = factsOf('openai', 'gpt-6.1-sol');
  expect(costOf(facts, short)).toBeCloseTo(0.544, 9);
  expect(costOf(facts, { ...short, input: 272_001 })).toBeCloseTo(1.088004, 9);
});

test('the default of every vendor has a known price and window', () => {
  for (const { id, model } of PROVIDERS) {
    if (model === null) continue;
    expect(factsOf(id, model)).toEqual({ window: expect.any(Number), price: expect.any(Object) });
  }
});
