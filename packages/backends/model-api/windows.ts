import { z } from 'zod';
import type { Endpoint } from './detection.ts';
import { allWordsOf, chain, knownOf } from './error-words.ts';
import { fingerprintOf } from './fingerprint.ts';
import { keep, LearnedWindows } from './learned-windows.ts';
import { lookedUp } from './look-up.ts';
import { factsOf } from './models.ts';
import type { ModelApiPorts } from './ports.ts';

/*
 * How many tokens fit into a model's context: of a vendor's model as published, of others what their server says of itself,
 * and of all what a refusal said. What a refusal said is kept in the home.
 */

/** How long a server's word is kept, in milliseconds. */
const KEPT_MS = 30_000;
/** Numbers outside of these are no size of a context. */
const LEAST = 256;
const LARGEST = 100_000_000;

/** How providers say it when a request is too long, the most telling first. */
const SAYINGS: readonly RegExp[] = [
  /maximum context length (?:is|of) ([\d,]+)/i,
  /(?:too long|context limit)[^>]{0,80}> ([\d,]+)/i,
  /"?n_ctx"?\s*[:=]\s*([\d,]+)/,
  /context (?:length|window|size)[^.\d]{0,30}([\d,]+)/i,
];

const Running = z.object({
  models: z.array(z.looseObject({ name: z.string(), context_length: z.number().optional() })),
});
const Shown = z.looseObject({ parameters: z.string().catch('') });
const Listed = z.object({
  data: z.array(
    z.looseObject({
      id: z.string(),
      max_model_len: z.number().nullish(),
      context_length: z.number().nullish(),
    }),
  ),
});

/** What is known of windows, for the environment that it was made with. Nothing of it rejects. */
export class Windows {
  readonly #ports: Pick<ModelApiPorts, 'fetch' | 'clock'>;
  readonly #learned: LearnedWindows;
  readonly #told = new Map<string, { readonly at: number; readonly tokens: number | null }>();

  constructor(ports: Pick<ModelApiPorts, 'fetch' | 'clock' | 'disk' | 'home'>) {
    this.#ports = ports;
    this.#learned = new LearnedWindows(ports);
  }

  /** Tokens that fit, as far as it is known without asking; `null`: unknown. */
  known(endpoint: Endpoint): number | null {
    const published = factsOf(endpoint.provider.id, endpoint.model).window;
    const name = nameOf(endpoint);
    const found = [published, this.#learned.of(name), this.#told.get(name)?.tokens];
    const sizes = found.filter(size => size !== undefined && size !== null);
    return sizes.length === 0 ? null : Math.min(...sizes);
  }

  /** Tokens that fit; a server that was not asked for a while is asked. */
  async of(endpoint: Endpoint): Promise<number | null> {
    await this.#learned.open();
    const { provider } = endpoint;
    const name = nameOf(endpoint);
    const now = this.#ports.clock.active();
    const told = this.#told.get(name);
    if (provider.probed && (told === undefined || now - told.at >= KEPT_MS)) {
      const tokens = provider.id === 'ollama' ? await this.#ollama(endpoint) : await this.#listed(endpoint);
      // Ollama tells what it really holds only while the model is loaded, which it soon will be.
      if (tokens !== null || provider.id !== 'ollama') keep(this.#told, name, { at: now, tokens });
    }
    return this.known(endpoint);
  }

  /**
   * A request was refused as too long. `counted` is how many tokens it had by the provider's own count; `null` when that
   * is not known, and then only the provider's words tell.
   */
  refused(endpoint: Endpoint, error: unknown, counted: number | null): void {
    // One that is too large in bytes says nothing of tokens.
    if (chain(error).some(one => knownOf(one).statusCode === 413)) return;
    const tokens = windowIn(allWordsOf(error)) ?? counted;
    if (tokens !== null) this.#learned.learn(nameOf(endpoint), tokens);
  }

  /** A request of so many tokens was answered: a refusal that said otherwise holds no more. */
  answered(endpoint: Endpoint, tokens: number): void {
    const name = nameOf(endpoint);
    if (tokens > (this.#learned.of(name) ?? Infinity)) this.#learned.forget(name);
  }

  /** What the model is loaded with, else what it is configured with. Ollama cuts what does not fit and says nothing. */
  async #ollama({ address, model }: Endpoint): Promise<number | null> {
    const full = model.includes(':') ? model : `${model}:latest`;
    const running = Running.safeParse(await lookedUp(this.#ports, `${address}/api/ps`));
    const loaded = running.data?.models.find(one => one.name === full)?.context_length;
    if (loaded !== undefined && isSize(loaded)) return loaded;
    const shown = Shown.safeParse(await lookedUp(this.#ports, `${address}/api/show`, { ask: { model } }));
    const configured = Number(/^num_ctx\s+(\d+)/m.exec(shown.data?.parameters ?? '')?.[1]);
    return isSize(configured) ? configured : null;
  }

  /** Some servers say it where they list their models. */
  async #listed({ address, key, model }: Endpoint): Promise<number | null> {
    const listed = Listed.safeParse(await lookedUp(this.#ports, `${address}/models`, { key }));
    const one = listed.data?.data.find(({ id }) => id === model);
    const tokens = one?.max_model_len ?? one?.context_length ?? 0;
    return isSize(tokens) ? tokens : null;
  }
}

/** The size of a context in the words of a refusal; `null` when they do not say. */
export function windowIn(words: string): number | null {
  for (const saying of SAYINGS) {
    const tokens = Number(saying.exec(words)?.[1]?.replaceAll(',', ''));
    if (isSize(tokens)) return tokens;
  }
  return null;
}

function isSize(tokens: number): boolean {
  return Number.isInteger(tokens) && tokens >= LEAST && tokens <= LARGEST;
}

function nameOf(endpoint: Endpoint): string {
  return `${fingerprintOf(endpoint)} ${endpoint.model}`;
}
