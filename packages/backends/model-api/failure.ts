import type { BackendEvent, BackendFailure } from '@hearth/engine/backend.ts';
import { chain, knownOf, wordsOf } from './error-words.ts';

/*
 * Turns whatever a request ended with into one of the failures that the engine knows, in a sentence for a person. A
 * provider's own words may repeat what was sent: they are quoted only where nothing else tells what to mend, without
 * anything that looks like a key.
 */

/**
 * A failure of the port's, in words for a person and without any secret. `retryAfterMs` is what the provider asked
 * for.
 */
export interface Failure {
  readonly code: BackendFailure;
  readonly message: string;
  readonly retryAfterMs?: number;
  /** The same will fail again until a person mends something. */
  readonly lasting?: true;
}

/** Silence, as the reason of an abort. */
export class Silence extends Error {
  readonly kind: 'cold' | 'quiet';
  constructor(kind: 'cold' | 'quiet') {
    super(kind);
    this.kind = kind;
  }
}

/** A request that failed, told apart from what the disk or the host may throw. */
export class ModelFailure extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The stream ended before the answer did. */
export class CutStream extends Error {}

/** What came is not what the API says. */
export class Garbage extends Error {}

/** The server sends the request on to another address, where neither the key nor the words belong. */
export class SentOn extends Error {}

/** The answer has no end. */
export class Endless extends Error {}

/** The provider's filter withheld the answer. */
export class Withheld extends Error {}

interface Row {
  readonly fits: (seen: Seen) => boolean;
  readonly code: BackendFailure;
  readonly lasting?: true;
  /** `who` is the provider, `model` what was asked for, `quoted` what the provider said, fit to be shown. */
  readonly say: (who: string, model: string, quoted: string) => string;
}

/** What is looked at of an error; nothing of it is passed on. */
interface Seen {
  readonly status: number | null;
  readonly words: string;
  readonly error: unknown;
}

const about = (words: RegExp) => (seen: Seen) => words.test(seen.words);
const status =
  (...codes: readonly number[]) =>
  ({ status: code }: Seen) =>
    code !== null && codes.includes(code);

/** The first row that fits counts. */
const ROWS: readonly Row[] = [
  {
    fits: seen => seen.error instanceof Silence && seen.error.kind === 'cold',
    code: 'cold',
    say: who => `${who} did not begin to answer; try again, or look whether it can be reached.`,
  },
  {
    fits: seen => seen.error instanceof Silence,
    code: 'quiet',
    say: who => `${who} fell silent in the middle of its answer; try again.`,
  },
  {
    fits: seen => seen.error instanceof CutStream,
    code: 'network',
    say: who => `The connection to ${who} ended in the middle of the answer; try again.`,
  },
  {
    fits: seen => seen.error instanceof SentOn,
    code: 'protocol',
    say: who =>
      `${who} sends requests on to another address, and nothing is sent there; set the address that really answers.`,
  },
  {
    fits: seen => seen.error instanceof Endless,
    code: 'protocol',
    say: (who, model) =>
      `${who} answered at a length at which no answer of ${model} ends, so it was cut off; try again, or choose another model.`,
  },
  {
    fits: seen => seen.error instanceof Withheld,
    code: 'protocol',
    say: who => `${who} withheld the answer by its own filter; say it differently.`,
  },
  {
    fits: seen => seen.error instanceof Garbage,
    code: 'protocol',
    say: who => `${who} answered something that is not its API; look at the address it is configured with.`,
  },
  {
    fits: about(/credit balance|insufficient_quota|billing|exceeded your current quota/i),
    code: 'quota',
    lasting: true,
    say: who => `${who} refuses because the account's quota or credit is used up.`,
  },
  {
    fits: seen => status(401, 403)(seen) || about(/authentication_error|permission_error/)(seen),
    code: 'auth',
    say: who => `${who} refuses the key; set a valid one in the environment of the service and restart it.`,
  },
  {
    fits: seen => status(429)(seen) || about(/rate_limit/)(seen),
    code: 'quota',
    say: who => `${who} takes no more requests for now; its limit for this account is reached.`,
  },
  {
    fits: seen =>
      status(413)(seen) ||
      (status(400)(seen) &&
        about(
          /context.?length|prompt is too long|too many tokens|maximum context|context window|exceed.{0,20}context/i,
        )(seen)) ||
      about(/context_length_exceeded|model_context_window_exceeded|exceed_context_size_error/)(seen),
    code: 'context_length',
    say: (_who, model) =>
      `The conversation no longer fits into ${model}; start a new one with /new, or choose a model with a larger context.`,
  },
  {
    fits: status(404),
    code: 'missing',
    say: (who, model) => `${who} does not know the model "${model}"; name another with HEARTH_MODEL.`,
  },
  {
    fits: seen =>
      (seen.status ?? 0) >= 500 || about(/overloaded|server_error|api_error|internal_error/)(seen),
    code: 'overloaded',
    say: who => `${who} is overloaded or failing at the moment; try again later.`,
  },
  {
    fits: seen => (seen.status ?? 0) >= 400,
    code: 'protocol',
    say: (who, model, quoted) =>
      `${who} refuses the request for ${model}${quoted === '' ? '' : `: ${quoted}`}.`,
  },
  {
    fits: about(/without a finish reason/),
    code: 'network',
    say: who => `The connection to ${who} ended in the middle of the answer; try again.`,
  },
  {
    fits: about(
      /\bE(?:CONN|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE|HOST|NET)|UND_ERR|socket|terminated|fetch failed|cannot connect|network/i,
    ),
    code: 'network',
    say: who => `${who} could not be reached, or the connection broke; try again.`,
  },
  {
    fits: () => true,
    code: 'protocol',
    say: who => `${who} answered something that is not its API; look at the address it is configured with.`,
  },
];

/** Whom a failure is about. `now` is the wall clock, for a `Retry-After` that is a date. */
export interface FailureOf {
  readonly who: string;
  readonly model: string;
  readonly key: string | null;
  readonly now: number;
}

/** What a request's error means. */
export function failureOf(error: unknown, { who, model, key, now }: FailureOf): Failure {
  const root = rootOf(error);
  const known = knownOf(root);
  const seen: Seen = {
    error: root,
    status: known.statusCode ?? (typeof known.code === 'number' ? known.code : null),
    words: [...chain(error).map(wordsOf), known.responseBody].join(' '),
  };
  const row = ROWS.find(one => one.fits(seen));
  const code = row?.code ?? 'protocol';
  const retryAfterMs =
    code === 'quota' || code === 'overloaded' ? retryAfter(known.responseHeaders, now) : null;
  const said = row?.say(who, model, quotable(known.message, key)) ?? '';
  const lasting = row?.lasting === true ? ({ lasting: true } as const) : {};
  if (retryAfterMs === null) return { code, message: said, ...lasting };
  return { ...lasting, code, message: `${said} It asks to wait ${spoken(retryAfterMs)}.`, retryAfterMs };
}

/** Longer quotations are cut, and no more than so much is looked at. */
const QUOTED = 200;
const LOOKED_AT = 4000;

/** A key as it may come back: as it is, in an address, in a header of the old kind. */
function spellings(key: string): readonly string[] {
  const basic = [key, `:${key}`, `${key}:`].map(text =>
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  );
  return [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...basic].filter(
    text => text !== '',
  );
}

function quotable(words: string, key: string | null): string {
  // A key at the end of what is looked at must not be cut in two before it is found.
  const plain = spellings(key ?? '').reduce((text, spelling) => text.replaceAll(spelling, '…'), words);
  return (
    plain
      .slice(0, LOOKED_AT)
      .replaceAll(/\b(?:sk|pk|key)-[\w*-]+/gi, '…')
      .replaceAll(/\bbearer\s+\S+/gi, '…')
      // A long word of letters and digits is no word.
      .replaceAll(/\b(?=\w*\d)(?=\w*[a-z])\w{16,}\b/gi, '…')
      .replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
      .slice(0, QUOTED)
      .replace(/[.\s]+$/, '')
  );
}

/** The event that ends a run. */
export function failed(failure: Failure, began: boolean): Extract<BackendEvent, { type: 'failed' }> {
  return { type: 'failed', ...failure, began };
}

const OWN = [Silence, CutStream, Garbage, SentOn, Endless, Withheld];

/** Errors are wrapped by whoever passes them on; the innermost of ours, or the first that a provider answered, counts. */
function rootOf(error: unknown): unknown {
  const own = chain(error).find(one => OWN.some(kind => one instanceof kind));
  return own ?? chain(error).find(one => one instanceof Error && 'statusCode' in one) ?? error;
}

/** Longer waits are no advice, in milliseconds. */
const WAIT_MS = 31 * 24 * 3_600_000;

/** `Retry-After` in seconds or as a date, as milliseconds; `null` when it says nothing that can be followed. */
function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
  const given = headers['retry-after']?.trim() ?? '';
  if (given === '') return null;
  const ms = /^\d+(?:\.\d+)?$/.test(given)
    ? Math.round(Number(given) * 1000)
    : /[a-z]{3}/i.test(given)
      ? Math.max(0, Date.parse(given) - now)
      : Number.NaN;
  return ms <= WAIT_MS ? ms : null;
}

function spoken(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
