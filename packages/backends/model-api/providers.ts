import type { Environment } from './ports.ts';

/*
 * The providers that model-api can talk to, as a table in order of preference. A provider is configured by the
 * environment alone; what is read here never holds a key, except `key`, which goes into requests and nowhere else.
 */

/** As it stands before the `/` in a model's name. */
export type ProviderId = 'anthropic' | 'openai' | 'compatible' | 'ollama';

/** A provider, and how the environment says that it can be used. */
export interface Provider {
  readonly id: ProviderId;
  /** As a person calls it. */
  readonly title: string;
  /** What configures it, in a phrase: `ANTHROPIC_API_KEY is set`. */
  readonly by: string;
  /** What to do when it is not configured, in a phrase. */
  readonly needs: string;
  /** The model of `auto`; `null`: the first that the server lists. */
  readonly model: string | null;
  /** Whether the server must be asked if it is there. */
  readonly probed: boolean;
  /** Where it is, without a slash at the end; `null`: not configured. Throws nothing. */
  address(env: Environment): string | null;
  key(env: Environment): string | null;
}

const OLLAMA = 'http://127.0.0.1:11434';

/** The first that is configured serves bots that leave the choice open. */
export const PROVIDERS: readonly Provider[] = [
  {
    id: 'anthropic',
    title: 'Anthropic',
    by: 'ANTHROPIC_API_KEY is set',
    needs: 'set ANTHROPIC_API_KEY',
    model: 'claude-sonnet-5',
    probed: false,
    address: env =>
      set(env, 'ANTHROPIC_API_KEY') === null
        ? null
        : versioned(set(env, 'ANTHROPIC_BASE_URL') ?? 'https://api.anthropic.com'),
    key: env => set(env, 'ANTHROPIC_API_KEY'),
  },
  {
    id: 'openai',
    title: 'OpenAI',
    by: 'OPENAI_API_KEY is set',
    needs: 'set OPENAI_API_KEY',
    model: 'gpt-6.1-sol',
    probed: false,
    address: env =>
      set(env, 'OPENAI_API_KEY') === null
        ? null
        : versioned(set(env, 'OPENAI_BASE_URL') ?? 'https://api.openai.com'),
    key: env => set(env, 'OPENAI_API_KEY'),
  },
  {
    id: 'compatible',
    title: 'The OpenAI-compatible server',
    by: 'HEARTH_OPENAI_BASE_URL is set',
    needs: 'set HEARTH_OPENAI_BASE_URL to its address',
    model: null,
    probed: true,
    address: env => {
      const address = set(env, 'HEARTH_OPENAI_BASE_URL');
      return address === null ? null : trimmed(address);
    },
    key: env => set(env, 'HEARTH_OPENAI_API_KEY'),
  },
  {
    id: 'ollama',
    title: 'Ollama',
    by: 'Ollama runs on this machine',
    needs: 'start Ollama, or set OLLAMA_HOST to its address',
    model: null,
    probed: true,
    address: env => ollamaAddress(set(env, 'OLLAMA_HOST')),
    key: () => null,
  },
];

/** Which providers serve a family of models, the first configured one being taken. */
const FAMILIES: readonly { readonly model: RegExp; readonly providers: readonly ProviderId[] }[] = [
  { model: /^claude-/, providers: ['anthropic', 'compatible'] },
  { model: /^(?:gpt-|chatgpt-|o\d)/, providers: ['openai', 'compatible'] },
  { model: /./, providers: ['compatible', 'ollama'] },
];

/** What a model's name asks for. `model` is `null` when the choice is left open. */
export interface Wish {
  readonly model: string | null;
  /** In order; the first that can be used is taken. */
  readonly providers: readonly ProviderId[];
}

/**
 * Reads `auto`, `anthropic/claude-…`, `ollama/llama3:8b` or a bare name. `provider` is what the node names beside it;
 * one that is not ours is passed over.
 */
export function wishOf(model: string, provider: string | null): Wish {
  const name = model.trim();
  const open = name === '' || name === 'auto';
  const named = PROVIDERS.find(one => one.id === provider?.trim())?.id;
  if (named !== undefined) return { model: open ? null : bare(name, named), providers: [named] };
  if (open) return { model: null, providers: PROVIDERS.map(one => one.id) };
  const prefixed = PROVIDERS.find(one => name.startsWith(`${one.id}/`))?.id;
  if (prefixed !== undefined) {
    const rest = bare(name, prefixed);
    return { model: rest === '' || rest === 'auto' ? null : rest, providers: [prefixed] };
  }
  return { model: name, providers: FAMILIES.find(family => family.model.test(name))?.providers ?? [] };
}

function bare(name: string, provider: ProviderId): string {
  return name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name;
}

/** An address fit to be shown and stored: without user, password, query and fragment. */
export function publicAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? 'unknown' : `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function set(env: Environment, name: string): string | null {
  const value = env[name]?.trim() ?? '';
  return value === '' ? null : value;
}

function trimmed(address: string): string {
  return address.replace(/\/+$/, '');
}

/** Both vendors' addresses end in the version of their API; people write them with and without. */
function versioned(address: string): string {
  const plain = trimmed(address);
  return /\/v\d+$/.test(plain) ? plain : `${plain}/v1`;
}

/** `OLLAMA_HOST` is written as `host`, `host:port`, `:port` or an address; a server's "any" means this machine. */
function ollamaAddress(host: string | null): string {
  if (host === null) return OLLAMA;
  const url = URL.parse(
    /^https?:\/\//.test(host) ? host : `http://${host.startsWith(':') ? '127.0.0.1' : ''}${host}`,
  );
  if (url === null) return OLLAMA;
  const port = url.port === '' && !/^https?:\/\//.test(host) ? '11434' : url.port;
  const name = ['0.0.0.0', '[::]'].includes(url.hostname) ? '127.0.0.1' : url.hostname;
  return trimmed(`${url.protocol}//${name}${port === '' ? '' : `:${port}`}${url.pathname}`);
}
