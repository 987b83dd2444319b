/*
 * What is known of models: the size of the context and what tokens cost, as the vendors published it in November 2026.
 * The table is small on purpose. A model that is not in it works all the same; its price is unknown, which is not the
 * same as nothing.
 */

/** US dollars for a million tokens. */
interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Some vendors charge a request with a long prompt by other rates, all of it. */
interface Price extends Rates {
  readonly long?: Rates & { readonly above: number };
}

/** What is known of a model; `price` is `null` when it is not known, which is never counted as free. */
export interface ModelFacts {
  /** Tokens that fit into the context; `null`: unknown. */
  readonly window: number | null;
  readonly price: Price | null;
}

const rates = (input: number, output: number, cacheRead: number, cacheWrite = input): Rates => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

const MILLION = 1_000_000;

/** By the name of the family. */
const FACTS: readonly { readonly model: string; readonly facts: ModelFacts }[] = [
  { model: 'claude-sonnet-5-5', facts: { window: MILLION, price: rates(2, 10, 0.1, 2.5) } },
  { model: 'claude-sonnet-5', facts: { window: MILLION, price: rates(2, 10, 0.2, 2.5) } },
  { model: 'claude-sonnet-4-5', facts: { window: 200_000, price: rates(3, 15, 0.3, 3.75) } },
  { model: 'claude-opus-5-5', facts: { window: MILLION, price: rates(4, 20, 0.2, 5) } },
  { model: 'claude-opus-5', facts: { window: MILLION, price: rates(5, 25, 0.5, 6.25) } },
  { model: 'claude-opus-4-5', facts: { window: 200_000, price: rates(5, 25, 0.5, 6.25) } },
  { model: 'claude-haiku-4-5', facts: { window: 200_000, price: rates(1, 5, 0.1, 1.25) } },
  {
    model: 'gpt-6.1-sol',
    facts: {
      window: 1_050_000,
      price: { ...rates(2, 10, 0.1), long: { above: 272_000, ...rates(4, 15, 0.2) } },
    },
  },
  {
    model: 'gpt-6.1-terra',
    facts: {
      window: 1_050_000,
      price: { ...rates(1, 5, 0.05), long: { above: 272_000, ...rates(2, 7.5, 0.1) } },
    },
  },
  { model: 'gpt-5.1', facts: { window: 400_000, price: rates(1.25, 10, 0.125) } },
  { model: 'gpt-5', facts: { window: 400_000, price: rates(1.25, 10, 0.125) } },
  { model: 'gpt-5-mini', facts: { window: 400_000, price: rates(0.25, 2, 0.025) } },
  { model: 'gpt-5-nano', facts: { window: 400_000, price: rates(0.05, 0.4, 0.005) } },
  { model: 'gpt-4.1', facts: { window: 1_047_576, price: rates(2, 8, 0.5) } },
  { model: 'gpt-4.1-mini', facts: { window: 1_047_576, price: rates(0.4, 1.6, 0.1) } },
  { model: 'gpt-4o', facts: { window: 128_000, price: rates(2.5, 10, 1.25) } },
  { model: 'gpt-4o-mini', facts: { window: 128_000, price: rates(0.15, 0.6, 0.075) } },
];

/** Dated names belong to their family. */
const DATED = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/** The vendors' models that are in the table. */
export const VENDOR_MODELS: readonly { readonly provider: string; readonly model: string }[] = FACTS.map(
  ({ model }) => ({ provider: model.startsWith('claude-') ? 'anthropic' : 'openai', model }),
);

const UNKNOWN: ModelFacts = { window: null, price: null };

/** What is known of a vendor's model. A model of a local server is never in the table: its name says nothing. */
export function factsOf(provider: string, model: string): ModelFacts {
  if (provider !== 'anthropic' && provider !== 'openai') return UNKNOWN;
  return FACTS.find(row => row.model === model.replace(DATED, ''))?.facts ?? UNKNOWN;
}

/** Tokens of one step, as a provider counts them; `input` holds the cached ones too. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** US dollars; `null` when the price is unknown. */
export function costOf({ price }: ModelFacts, tokens: Tokens): number | null {
  if (price === null) return null;
  const known = price.long !== undefined && tokens.input > price.long.above ? price.long : price;
  const plain = Math.max(0, tokens.input - tokens.cacheRead - tokens.cacheWrite);
  const millionths =
    plain * known.input +
    tokens.cacheRead * known.cacheRead +
    tokens.cacheWrite * known.cacheWrite +
    tokens.output * known.output;
  return millionths / MILLION;
}
