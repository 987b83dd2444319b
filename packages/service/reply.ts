import type { Reply } from '@hearth/protocol/receipt.ts';
import { refusalResponse } from './problem.ts';
import { jsonResponse } from './route.ts';

/** Accepted and replayed commands are 200; a refused one is a problem that carries the state. */
export function replyResponse(reply: Reply): Response {
  return reply.refused === undefined
    ? jsonResponse(reply)
    : refusalResponse(reply.refused, reply.view, reply.receipt);
}
