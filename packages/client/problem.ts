import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';

/**
 * Why a call came to nothing. `code` is stable; besides the service's own codes there are three of the client:
 * `unreachable` (no answer, `status` 0), `stopped` (no answer, because somebody stopped the service, `status` 0) and
 * `unreadable_answer` (an answer of another version, or of no Hearth).
 * `detail` is one sentence for a person and never holds the body of an answer that was not understood.
 */
export class HearthProblem extends Error {
  readonly code: string;
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly detail: string;
  /** The state of the conversation, where the refusal carried one. */
  readonly view: ConversationView | null;

  constructor(
    problem: { code: string; status: number; detail: string; view?: ConversationView | null },
    options?: ErrorOptions,
  ) {
    super(problem.detail, options);
    this.name = 'HearthProblem';
    this.code = problem.code;
    this.status = problem.status;
    this.detail = problem.detail;
    this.view = problem.view ?? null;
  }
}

/** The answer is not what this version of the client understands. */
export function unreadable(what: string, status: number): HearthProblem {
  const detail = `The answer to ${what} (status ${status}) is not one this version understands: stop the service with "hearth stop" and start it again.`;
  return new HearthProblem({ code: 'unreadable_answer', status, detail });
}

/** Nobody answered. */
export function unreachable(what: string, address: string, cause: unknown): HearthProblem {
  const detail = `No answer to ${what} from ${address}: the service is not running or cannot be reached.`;
  return new HearthProblem({ code: 'unreachable', status: 0, detail }, { cause });
}

/** Nobody answers, because somebody wanted it so: only an act of a person may start the service again. */
export function stopped(): HearthProblem {
  const detail = 'The service was stopped; send something to start it again.';
  return new HearthProblem({ code: 'stopped', status: 0, detail });
}

/** The conversation was closed or removed while somebody followed it. */
export function gone(conversation: ConversationId): HearthProblem {
  const detail = `There is no conversation ${conversation} any more: it was closed or removed.`;
  return new HearthProblem({ code: 'unknown_conversation', status: 404, detail });
}

/** Any thrown value as a problem, so that a surface has one sentence to show. */
export function asProblem(error: unknown): HearthProblem {
  if (error instanceof HearthProblem) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new HearthProblem({ code: 'failed', status: 0, detail }, { cause: error });
}
