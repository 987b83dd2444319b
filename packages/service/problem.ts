import type { Problem } from '@hearth/protocol/problem.ts';
import type { Receipt, Refusal } from '@hearth/protocol/receipt.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { PlainResponse } from './plain-response.ts';

/*
 * Every refusal on the wire is a problem (RFC 9457): a status, a stable code and one sentence. Which status a code has
 * stands in one table, so that a code means the same on every route.
 */

/** An error that has its answer ready; anything else that is thrown becomes `internal` and shows nothing. */
export class ProblemError extends Error {
  readonly code: string;
  readonly view: ConversationView | undefined;
  /** Milliseconds after which it may be tried again; told as `Retry-After`. */
  readonly retryAfterMs: number | null;
  constructor(code: string, detail: string, view?: ConversationView, retryAfterMs: number | null = null) {
    super(detail);
    this.retryAfterMs = retryAfterMs;
    this.name = 'ProblemError';
    this.code = code;
    this.view = view;
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Malformed request',
  401: 'Not signed in',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Refused',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Invalid',
  429: 'Too many',
  500: 'Internal error',
  503: 'Unavailable',
  507: 'Disk full',
};

const STATUS: Readonly<Record<string, number>> = {
  malformed: 400,
  unauthorized: 401,
  code_unusable: 401,
  foreign_host: 403,
  foreign_origin: 403,
  not_found: 404,
  unknown_conversation: 404,
  unknown_message: 404,
  unknown_turn: 404,
  unknown_rule: 404,
  unknown_pause: 404,
  unknown_blob: 404,
  unknown_artifact: 404,
  unknown_bot: 404,
  unknown_ticket: 404,
  unknown_workspace: 404,
  unknown_session: 404,
  unknown_run: 404,
  default_missing: 404,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  invalid_ticket: 422,
  invalid_import: 422,
  archive_invalid: 422,
  invalid_workspace: 422,
  invalid_vars: 422,
  invalid_attachment: 422,
  unknown_state: 422,
  queue_full: 429,
  too_many_streams: 429,
  too_many_attempts: 429,
  too_many_requests: 429,
  internal: 500,
  failed: 500,
  damaged_file: 500,
  damaged_conversation: 500,
  disk_failed: 500,
  read_only: 503,
  no_permission: 503,
  stopping: 503,
  studio_unbuilt: 503,
  disk_full: 507,
};

/** The status of a code; a refusal that the table does not know is a conflict with the current state. */
export function statusOf(code: string): number {
  return STATUS[code] ?? 409;
}

/** The problem for a code and a sentence. */
export function problem(code: string, detail: string, view?: ConversationView): Problem {
  const status = statusOf(code);
  const title = TITLES[status] ?? 'Refused';
  return { type: 'about:blank', title, status, code, detail, ...(view === undefined ? {} : { view }) };
}

/** Sends a problem; `extra` members are allowed by RFC 9457 and carry what a code promises besides. */
export function problemResponse(
  found: Problem,
  headers: Readonly<Record<string, string>> = {},
  extra: Readonly<Record<string, unknown>> = {},
): Response {
  return new PlainResponse(JSON.stringify({ ...found, ...extra }), {
    status: found.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  });
}

/** The header that says when to try again; none when that is not known. */
export function retryAfter(ms: number | null): Readonly<Record<string, string>> {
  return ms === null ? {} : { 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) };
}

/**
 * The answer to a command that was refused: nothing changed, and the view shows how things stand. `receipt`: the first one,
 * where the id was used for another command before.
 */
export function refusalResponse(
  refused: Refusal,
  view: ConversationView,
  receipt: Receipt | null = null,
): Response {
  const { code, message, ...more } = refused;
  return problemResponse(
    problem(code, message, view),
    {},
    { ...more, ...(receipt === null ? {} : { receipt }) },
  );
}
