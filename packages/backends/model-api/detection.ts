import type { ProviderReport } from '@hearth/protocol/models.ts';
import { z } from 'zod';
import { lookedUp } from './look-up.ts';
import type { ModelApiPorts } from './ports.ts';
import { PROVIDERS, type Provider, type ProviderId, publicAddress, wishOf } from './providers.ts';

/*
 * Finds out which provider serves a model. The environment decides at once; servers that may or may not be there are
 * asked, all together, and their answer is kept for a while, so that looking costs nothing most of the time. A server that
 * is slow is waited for a little; what it says afterwards holds for whoever asks next.
 */

/** How long a server is waited for, in milliseconds. */
export const WAIT_MS = 2000;
/** How long it may take to answer whoever asks next, in milliseconds. */
export const ANSWER_MS = 15_000;

/** How long an answer of a server is kept, in milliseconds. */
export const KEPT_MS = 30_000;

/** Where a turn's model is. `address` may hold a password; show `publicAddress(address)`. */
export interface Endpoint {
  readonly provider: Provider;
  readonly model: string;
  readonly address: string;
  readonly key: string | null;
}

const Tags = z.object({ models: z.array(z.object({ name: z.string() })) });
const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Answers for the environment that it was made with. It never rejects: a server that does not answer is not there. */
export class Detection {
  readonly #ports: ModelApiPorts;
  readonly #kept = new Map<
    ProviderId,
    { readonly at: number; readonly models: Promise<readonly string[] | null> }
  >();

  constructor(ports: ModelApiPorts) {
    this.#ports = ports;
  }

  /** The endpoint for a model, or a sentence for a person that says what is missing. Never rejects. */
  async endpoint(model: string, provider: string | null): Promise<Endpoint | { readonly missing: string }> {
    const wish = wishOf(model, provider);
    const wanted = PROVIDERS.filter(one => wish.providers.includes(one.id)).sort(
      (a, b) => wish.providers.indexOf(a.id) - wish.providers.indexOf(b.id),
    );
    const certain = wanted.findIndex(one => this.#isCertain(one, wish.model));
    const first = certain < 0 ? wanted : wanted.slice(0, certain + 1);
    for (const asked of first.map(one => this.#found(one, wish.model))) {
      const found = await asked;
      if (found !== null) return found;
    }
    if (wish.model === null && wanted.length > 1) {
      return { missing: 'No model is configured: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or start Ollama.' };
    }
    const what = wish.model === null ? `${wanted[0]?.title ?? 'The provider'} is` : `The model "${model}" is`;
    const how = wanted.map(one => this.#needs(one)).join(', or ');
    return { missing: `${what} not configured: ${how}, in the environment of the service, and restart it.` };
  }

  /** How every provider stands, in order of preference. Never rejects. */
  async reports(): Promise<readonly ProviderReport[]> {
    return await Promise.all(PROVIDERS.map(provider => this.#report(provider)));
  }

  async #report(provider: Provider): Promise<ProviderReport> {
    const { id, title, by, probed, model } = provider;
    const address = provider.address(this.#ports.env);
    const listed = await this.#listed(provider);
    const usable = address !== null && (listed !== null || !probed);
    return {
      id,
      title,
      usable,
      why: usable ? by : this.#needs(provider),
      address: address === null ? null : publicAddress(address),
      models: [...(listed ?? (model === null ? [] : [model]))],
    };
  }

  /** What to do for a provider that is not there: one whose address is set was asked there. */
  #needs(provider: Provider): string {
    const set = provider.id === 'compatible' ? provider.address(this.#ports.env) : null;
    if (set === null) return provider.needs;
    return `nothing at ${publicAddress(set)} lists a model: start that server, or correct HEARTH_OPENAI_BASE_URL`;
  }

  /** Nobody is asked. An address that a person wrote down is taken at its word as soon as a model is named too. */
  #isCertain(provider: Provider, model: string | null): boolean {
    if (provider.address(this.#ports.env) === null) return false;
    return !provider.probed || (model !== null && provider.id === 'compatible');
  }

  async #found(provider: Provider, model: string | null): Promise<Endpoint | null> {
    const address = provider.address(this.#ports.env);
    if (address === null) return null;
    const key = provider.key(this.#ports.env);
    if (this.#isCertain(provider, model)) {
      const named = model ?? provider.model;
      return named === null ? null : { provider, address, key, model: named };
    }
    const listed = await this.#listed(provider);
    const chosen = model ?? listed?.[0];
    return listed === null || chosen === undefined ? null : { provider, address, key, model: chosen };
  }

  /** The models that a server lists; `null` when it is not there or is not asked. */
  #listed(provider: Provider): Promise<readonly string[] | null> {
    const address = provider.address(this.#ports.env);
    if (!provider.probed || address === null) return Promise.resolve(null);
    const now = this.#ports.clock.active();
    const kept = this.#kept.get(provider.id);
    const fresh = kept !== undefined && now - kept.at < KEPT_MS;
    const models = fresh ? kept.models : this.#ask(provider, address);
    if (!fresh) this.#kept.set(provider.id, { at: now, models });
    return this.#soon(models);
  }

  async #soon<T>(answer: Promise<T>): Promise<T | null> {
    const late = Promise.withResolvers<null>();
    const cancel = this.#ports.clock.after(WAIT_MS, () => late.resolve(null));
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      cancel();
    }
  }

  async #ask(provider: Provider, address: string): Promise<readonly string[] | null> {
    const ollama = provider.id === 'ollama';
    const url = ollama ? `${address}/api/tags` : `${address}/models`;
    const body = await lookedUp(this.#ports, url, {
      key: provider.key(this.#ports.env),
      ms: ANSWER_MS,
    });
    if (ollama) return Tags.safeParse(body).data?.models.map(model => model.name) ?? null;
    return Models.safeParse(body).data?.data.map(model => model.id) ?? null;
  }
}
