import { Problem } from '@hearth/protocol/problem.ts';
import { ConversationView } from '@hearth/protocol/view.ts';
import { z } from 'zod';
import { HearthProblem, unreadable } from './problem.ts';

const Known = Problem.extend({ view: z.unknown().optional() });

/** Makes a problem of an answer that is none of success; `what` names the call, as in `GET /v1/status`. */
export function readProblem(what: string, status: number, body: unknown): HearthProblem {
  const known = Known.safeParse(body);
  if (!known.success) return unreadable(what, status);
  const view = ConversationView.safeParse(known.data.view);
  return new HearthProblem({
    code: known.data.code,
    status,
    detail: known.data.detail,
    view: view.success ? view.data : null,
  });
}
