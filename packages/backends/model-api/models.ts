/*
 * What is known of models: the size of the context and what tokens cost. The table is small on purpose. A model that is
 * not in it works all the same; its price is unknown, which is not the same as nothing.
 */

/** US dollars for a million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface ModelFacts {
  /** Tokens that fit into the context; `null`: unknown. */
  readonly window: number | null;
  readonly price: Price | null;
}

const price = (input: number, output: number, cacheRead: number, cacheWrite = input): Price => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

/** The first row that fits counts. Dated names (`…-20250929`) belong to their family. */
const FACTS: readonly { readonly model: RegExp; readonly facts: ModelFacts }[] = [
  { model: family('claude-sonnet-4-5'), facts: { window: 200_000, price: price(3, 15, 0.3, 3.75) } },
  { model: family('claude-opus-4-5'), facts: { window: 200_000, price: price(5, 25, 0.5, 6.25) } },
  { model: family('claude-opus-4-1'), facts: { window: 200_000, price: price(15, 75, 1.5, 18.75) } },
  { model: family('claude-haiku-4-5'), facts: { window: 200_000, price: price(1, 5, 0.1, 1.25) } },
  { model: family('gpt-5\\.1'), facts: { window: 400_000, price: price(1.25, 10, 0.125) } },
  { model: family('gpt-5'), facts: { window: 400_000, price: price(1.25, 10, 0.125) } },
  { model: family('gpt-5-mini'), facts: { window: 400_000, price: price(0.25, 2, 0.025) } },
  { model: family('gpt-5-nano'), facts: { window: 400_000, price: price(0.05, 0.4, 0.005) } },
  { model: family('gpt-4\\.1'), facts: { window: 1_047_576, price: price(2, 8, 0.5) } },
  { model: family('gpt-4\\.1-mini'), facts: { window: 1_047_576, price: price(0.4, 1.6, 0.1) } },
  { model: family('gpt-4o'), facts: { window: 128_000, price: price(2.5, 10, 1.25) } },
  { model: family('gpt-4o-mini'), facts: { window: 128_000, price: price(0.15, 0.6, 0.075) } },
];

function family(name: string): RegExp {
  return new RegExp(`^${name}(?:-\\d{8}|-\\d{4}-\\d{2}-\\d{2})?$`);
}

const UNKNOWN: ModelFacts = { window: null, price: null };

/** What is known of a vendor's model. A model of a local server is never in the table: its name says nothing. */
export function factsOf(provider: string, model: string): ModelFacts {
  if (provider !== 'anthropic' && provider !== 'openai') return UNKNOWN;
  return FACTS.find(row => row.model.test(model))?.facts ?? UNKNOWN;
}

/** Tokens of one step, as a provider counts them; `input` holds the cached ones too. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** US dollars; `null` when the price is unknown. */
export function costOf({ price: known }: ModelFacts, tokens: Tokens): number | null {
  if (known === null) return null;
  const plain = Math.max(0, tokens.input - tokens.cacheRead - tokens.cacheWrite);
  const millionths =
    plain * known.input +
    tokens.cacheRead * known.cacheRead +
    tokens.cacheWrite * known.cacheWrite +
    tokens.output * known.output;
  return millionths / 1_000_000;
}
