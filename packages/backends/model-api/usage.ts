import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { Endpoint } from './detection.ts';
import { costOf, factsOf, type Tokens } from './models.ts';

/** What one request used. A provider that does not count, or a price that is unknown, is told as unpriced. */
export function usageOf({ provider, model }: Endpoint, tokens: Tokens | null): BackendEvent {
  const costUsd = tokens === null ? null : costOf(factsOf(provider.id, model), tokens);
  const unpriced = costUsd === null ? 1 : 0;
  const spend = { activeMs: 0, tokens: totalOf(tokens), costUsd, iterations: 0, unpriced };
  return { type: 'usage', spend, cumulative: false };
}

/** All tokens of a request, which are those of the session after it; `null` when the provider does not count. */
export function totalOf(tokens: Tokens | null): number | null {
  return tokens === null ? null : tokens.input + tokens.output;
}
