import { z } from 'zod';
import type { Endpoint } from './detection.ts';
import { allWordsOf, chain, knownOf } from './error-words.ts';
import type { Failure } from './failure.ts';
import { fingerprintOf } from './fingerprint.ts';
import { lookedUp } from './look-up.ts';
import type { ModelApiPorts } from './ports.ts';

/** Of so many models at most it is remembered. */
const MODELS = 200;
/** A refusal that is about pictures, and one that says that the model takes none at all. */
const ABOUT = /image|picture|vision|multi-?modal|media.?type/i;
const NONE =
  /not support|n't support|unsupported|not (?:a )?(?:vision|multi-?modal)|text.only|missing data required/i;
const REFUSALS: ReadonlySet<number | null> = new Set([400, 413, 415, 422, 500]);

const Able = z.looseObject({ capabilities: z.array(z.string()) });

/**
 * Which models take pictures, as far as it is known: all do until a server says otherwise. What a refusal told is kept while
 * the service runs, unless it may have been about one picture alone.
 */
export class PictureGate {
  readonly #ports: Pick<ModelApiPorts, 'fetch' | 'clock'>;
  readonly #blind = new Set<string>();

  constructor(ports: Pick<ModelApiPorts, 'fetch' | 'clock'>) {
    this.#ports = ports;
  }

  /** Why an endpoint is sent no pictures, as the end of a sentence; `null` when it may be. Never rejects. */
  async closed(endpoint: Endpoint): Promise<string | null> {
    const { provider, address, model } = endpoint;
    const name = nameOf(endpoint);
    if (provider.id === 'ollama' && !this.#blind.has(name)) {
      const told = Able.safeParse(await lookedUp(this.#ports, `${address}/api/show`, { ask: { model } }));
      if (told.success && !told.data.capabilities.includes('vision')) return takesNone(model);
    }
    return this.#blind.has(name) ? takesNone(model) : null;
  }

  /** Why a request with pictures was refused, where it was for them, and may be made again without. */
  refused(endpoint: Endpoint, error: unknown, { code }: Failure): string | null {
    const status = chain(error)
      .map(one => knownOf(one).statusCode)
      .find(one => one !== null);
    if (!REFUSALS.has(status ?? null) || code === 'quota' || code === 'auth') return null;
    if (status === 413) return 'the request would be too large with it';
    const words = allWordsOf(error);
    if (!ABOUT.test(words)) return null;
    if (!NONE.test(words)) return `${endpoint.model} refused it`;
    this.#blind.add(nameOf(endpoint));
    const [oldest] = this.#blind;
    if (this.#blind.size > MODELS && oldest !== undefined) this.#blind.delete(oldest);
    return takesNone(endpoint.model);
  }
}

function takesNone(model: string): string {
  return `${model} takes no pictures`;
}

function nameOf(endpoint: Endpoint): string {
  return `${fingerprintOf(endpoint)} ${endpoint.model}`;
}
