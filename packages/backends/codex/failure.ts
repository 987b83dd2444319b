import { JsonObject } from '@hearth/protocol/json.ts';
import { type Failure, failureOf } from '../model-api/failure.ts';
import type { TurnError } from './wire.ts';

/*
 * What a turn's error means. The program says what kind it is, and for what the provider answered its status; the sentence
 * for a person is the one that every backend has for it.
 */

/** Kinds that say by themselves what a status would. */
const KINDS: Readonly<Record<string, { readonly status?: number; readonly words?: string }>> = {
  contextWindowExceeded: { words: 'context_length_exceeded' },
  sessionBudgetExceeded: { words: 'insufficient_quota' },
  usageLimitExceeded: { words: 'insufficient_quota' },
  rateLimitExceeded: { status: 429 },
  flexUnavailable: { status: 503 },
  serverOverloaded: { status: 529 },
  policyCapacityUnavailable: { status: 503 },
  internalServerError: { status: 500 },
  modelNotFound: { status: 404 },
  unauthorized: { status: 401 },
  badRequest: { status: 400 },
  // A request that the provider refuses, in its own words.
  other: { status: 400 },
};

/** The answer broke off. */
const CUT =
  /\bstream disconnected before completion|error sending request|connection (?:closed|reset)|responseStream/i;
/** It ended in good order without being an answer: whoever had said nothing yet speaks another protocol. */
const NO_ANSWER = /stream closed before response\.completed/;

/** The failure that an error of the program's is. `began`: the model had said something. */
export function codexFailure(
  error: TurnError | null | undefined,
  { model, began, now }: { readonly model: string; readonly began: boolean; readonly now: number },
): Failure {
  const info = error?.codexErrorInfo ?? null;
  const words = [error?.message, error?.additionalDetails].filter(Boolean).join(' ');
  const [kind, more] =
    typeof info === 'string' ? [info, null] : (Object.entries(info ?? {})[0] ?? ['', null]);
  const told = JsonObject.safeParse(more).data?.['httpStatusCode'];
  const inWords = /\bstatus (\d{3})\b/.exec(words)?.[1];
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  const status =
    typeof told === 'number' ? told : (known?.status ?? (inWords === undefined ? null : Number(inWords)));
  const cut = told === undefined && inWords === undefined && CUT.test(`${kind} ${words}`);
  const said = { name: 'CodexError', message: `${known?.words ?? ''} ${words}`.trim(), statusCode: status };
  const about = { who: 'Codex', model: model === '' ? 'the model' : model, key: null, now };
  if (cut && !began && NO_ANSWER.test(words)) return failureOf({ name: 'NoAnswer' }, about);
  if (cut) return failureOf({ name: 'CutStream', message: 'socket' }, about);
  return failureOf(said, about);
}
