import type { BackendEvent, BackendFailure } from '@hearth/engine/backend.ts';
import type { ResultLine } from './wire.ts';

/*
 * What a result that is an error means. The program's own words are not shown where a sentence says what to do: they may
 * repeat what was sent, and they are meant for whoever sits in front of the program itself.
 */

/** A failure of the port's, in words for a person. `lasting`: the same comes again until somebody mends it. */
export interface Failure {
  readonly code: BackendFailure;
  readonly message: string;
  readonly lasting?: true;
}

interface Row {
  readonly fits: (result: ResultLine, words: string) => boolean;
  readonly failure: Failure;
}

const about =
  (words: RegExp) =>
  (_result: ResultLine, said: string): boolean =>
    words.test(said);
const status =
  (...codes: readonly number[]) =>
  ({ api_error_status: code }: ResultLine): boolean =>
    typeof code === 'number' && codes.includes(code);

/** The first row that fits counts. */
const ROWS: readonly Row[] = [
  {
    fits: about(/no conversation found/i),
    failure: {
      code: 'session_lost',
      message: 'Claude Code does not find its session any more; try again, and it begins a new one.',
    },
  },
  {
    fits: about(/credit balance|billing/i),
    failure: {
      code: 'quota',
      lasting: true,
      message: "The provider behind Claude Code refuses because the account's credit is used up.",
    },
  },
  {
    fits: (result, words) =>
      status(401, 403)(result) || /not logged in|\/login|failed to authenticate/i.test(words),
    failure: {
      code: 'auth',
      message:
        'Claude Code is not logged in, or its login is refused; run "claude" and log in, or set a valid key in the environment of the service and restart it.',
    },
  },
  {
    fits: (result, words) => status(429)(result) || /hit your .*limit|usage limit|rate.?limit/i.test(words),
    failure: {
      code: 'quota',
      message:
        'The provider behind Claude Code takes no more requests for now; the limit of the account is reached.',
    },
  },
  {
    fits: (result, words) =>
      result.terminal_reason === 'prompt_too_long' ||
      status(413)(result) ||
      /prompt is too long/i.test(words),
    failure: {
      code: 'context_length',
      message:
        'The conversation no longer fits into the model; start a new one with /new, or choose a larger model.',
    },
  },
  {
    fits: status(404),
    failure: {
      code: 'missing',
      message: 'Claude Code does not get the model that was asked for; name another with HEARTH_MODEL.',
    },
  },
  {
    fits: ({ api_error_status: code }) => typeof code === 'number' && code >= 500,
    failure: {
      code: 'overloaded',
      message: 'The provider behind Claude Code is overloaded or failing at the moment; try again later.',
    },
  },
  {
    fits: ({ api_error_status: code }) => typeof code === 'number' && code >= 400,
    failure: {
      code: 'protocol',
      message: 'The provider behind Claude Code refuses the request; look at its settings, and try again.',
    },
  },
  {
    fits: ({ subtype }) => subtype === 'error_max_structured_output_retries',
    failure: {
      code: 'schema',
      message: 'Claude Code gave no answer of the form that the bot asks for, even after two repairs.',
    },
  },
  {
    fits: (result, words) =>
      result.api_error === 'connection_failed' ||
      /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|socket|stream_truncated|unable to connect|connection (?:error|to the api)/i.test(
        words,
      ),
    failure: {
      code: 'network',
      message: 'The connection from Claude Code to its provider broke, or could not be made; try again.',
    },
  },
  {
    fits: about(/overloaded|server_error/i),
    failure: {
      code: 'overloaded',
      message: 'The provider behind Claude Code is overloaded or failing at the moment; try again later.',
    },
  },
];

const UNKNOWN: Failure = {
  code: 'protocol',
  message: 'Claude Code ended the turn with an error that says nothing of its kind; try again.',
};

/** What an error of the program's means. */
export function failureOf(result: ResultLine): Failure {
  const words = [result.result ?? '', ...(result.errors ?? [])].join(' ');
  return ROWS.find(row => row.fits(result, words))?.failure ?? UNKNOWN;
}

/** How a program that ended without a word of why is told. */
export function crashed(exit: number | null): Failure {
  const how = exit === null ? 'could not be started' : `ended in the middle of the turn (exit code ${exit})`;
  return { code: 'crashed', message: `Claude Code ${how}; try again.` };
}

/** How a program that says nothing any more is told. */
export function silence(kind: 'cold' | 'quiet', quietMs: number): Failure {
  if (kind === 'cold') return { code: 'cold', message: 'Claude Code did not come up; try again.' };
  const minutes = Math.max(1, Math.round(quietMs / 60_000));
  return {
    code: 'quiet',
    message: `Claude Code, or the provider behind it, said nothing for ${minutes} min; try again.`,
  };
}

/** The event that ends a run. */
export function failed(failure: Failure, began: boolean): Extract<BackendEvent, { type: 'failed' }> {
  return { type: 'failed', ...failure, began };
}
