import type { Backend } from '@hearth/engine/backend.ts';
import { isKnown } from './known-backends.ts';

/*
 * Chooses the backend of a node: what somebody names, in order of whose word counts first, else the first usable one, and
 * the rehearsal last. A backend that somebody named is never silently replaced by another.
 */

/** Names that sources written elsewhere use, and ours. */
export const aliases: Readonly<Record<string, string>> = {
  claw: 'model-api',
  model_api: 'model-api',
  claude: 'claude-code',
  claude_code: 'claude-code',
};

/** The name of the backend that always works, and is chosen last. */
export const LAST_RESORT = 'rehearsal';

/** Somebody named a backend that is not there or cannot be used. The message is one sentence for a person. */
export class BackendMissing extends Error {
  readonly code = 'backend_missing';
  readonly backend: string;
  constructor(backend: string, message: string) {
    super(message);
    this.name = 'BackendMissing';
    this.backend = backend;
  }
}

/** The chosen backend and why, as a short phrase for a person. */
export interface Choice {
  readonly backend: Backend;
  readonly why: string;
}

/** What somebody wants of backend and model; `null` leaves it open. */
export interface Wanted {
  readonly backend: string | null;
  readonly model: string | null;
}

/** Providers of models that only the backend for model APIs can reach. */
const PROVIDED = /^(?:anthropic|openai|compatible|ollama)\//;

/**
 * Reads what a person writes: a backend (`claude-code`), a backend with a model of its own (`claude-code/opus`), a model
 * with its provider (`ollama/llama3:8b`), a bare model, or `auto`.
 */
export function wantedIn(text: string): Wanted {
  const name = wish(text);
  if (name === null) return { backend: null, model: null };
  const cut = name.indexOf('/');
  const backend = plainBackend(cut < 0 ? name : name.slice(0, cut));
  if (isKnown(backend)) return { backend, model: cut < 0 ? null : wish(name.slice(cut + 1)) };
  return { backend: PROVIDED.test(name) ? 'model-api' : null, model: name };
}

/** A backend's own name, whatever it is called elsewhere. */
export function plainBackend(name: string): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

/** Who names a backend: `by` and `where` say it in words for a person. */
export interface Wish {
  readonly name: string | null | undefined;
  readonly by: string;
  readonly where: string;
  /** What was found says better why than `by`. */
  readonly found?: true;
}

/**
 * The first wish that names one decides; `available` is in order of preference. A name may be an alias; empty and `auto`
 * mean that nobody chose. Rejects with `BackendMissing`.
 */
export async function chooseBackend(wishes: readonly Wish[], available: readonly Backend[]): Promise<Choice> {
  for (const { name, by, where, found } of wishes) {
    const wanted = wish(name);
    if (wanted === null) continue;
    const choice = await named(wanted, where, available);
    return found === true ? choice : { ...choice, why: by };
  }
  const others = available.filter(backend => backend.name !== LAST_RESORT);
  for (const backend of [...others, ...available.filter(one => one.name === LAST_RESORT)]) {
    const found = await backend.detect();
    if (found.usable) return { backend, why: found.why };
  }
  throw new BackendMissing('', 'No backend can be used here; install one or configure a model.');
}

/** A name that leaves nothing open. */
function wish(name: string | null | undefined): string | null {
  const trimmed = name?.trim() ?? '';
  return trimmed === '' || trimmed === 'auto' ? null : trimmed;
}

async function named(name: string, where: string, available: readonly Backend[]): Promise<Choice> {
  const wanted = plainBackend(name);
  const backend = available.find(one => one.name === wanted);
  if (backend === undefined) {
    const names = available.map(one => one.name).join(', ');
    throw new BackendMissing(
      name,
      `${where} asks for the backend "${name}", which is not there; use one of: ${names}.`,
    );
  }
  const found = await backend.detect();
  if (found.usable) return { backend, why: found.why };
  throw new BackendMissing(
    name,
    `${where} asks for the backend "${name}", which cannot be used: ${found.why}.`,
  );
}
