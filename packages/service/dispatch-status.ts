import { type DispatchFacts, type Placed, queue, type Wait } from '@hearth/board/dispatch.ts';
import type { DispatchRow, DispatchStatus } from '@hearth/protocol/dispatch.ts';

/** How the dispatcher stands, for a person: every ticket that it has to do with, and why each one waits. */
export function statusOf(facts: DispatchFacts, problems: readonly string[]): DispatchStatus {
  const { on, concurrency, attempts, tickets } = facts;
  const claimed = tickets.filter(({ ticket }) => ticket.claim !== undefined && ticket.state !== 'ready');
  const given = tickets.filter(
    ({ ticket }) => ticket.claim === undefined && ticket.dispatch?.gaveUp === true,
  );
  return {
    on,
    concurrency,
    attempts,
    tickets: [
      ...claimed.map(underWay),
      ...queue(facts).map(({ placed, wait }) => ({ ...rowOf(placed, 'ready'), ...whyOf(wait) })),
      ...given.map(placed => rowOf(placed, 'gave_up')),
    ],
    problems: [...problems],
  };
}

function underWay(placed: Placed): DispatchRow {
  const { waits } = placed.ticket.claim ?? {};
  const waiting = placed.ticket.state === 'awaiting_input';
  const row = rowOf(placed, waiting ? 'waits' : 'working');
  return waits === undefined ? row : { ...row, pause: waits };
}

function rowOf({ workspace, ticket }: Placed, is: DispatchRow['is']): DispatchRow {
  const { id, title, state, bot, priority, dispatch } = ticket;
  const begun = is !== 'ready' || dispatch?.retryAt !== undefined;
  return {
    workspace,
    ticket: id,
    title,
    state,
    bot,
    is,
    conversation: begun ? (dispatch?.conversation ?? null) : null,
    failures: begun ? (dispatch?.failures ?? 0) : 0,
    ...(priority === undefined ? {} : { priority }),
  };
}

function whyOf(wait: Wait | null): Pick<DispatchRow, 'why' | 'detail' | 'at'> {
  if (wait === null) return {};
  switch (wait.why) {
    case 'unfit':
    case 'blockers':
      return { why: wait.why, detail: wait.detail };
    case 'retry':
      return { why: wait.why, at: wait.at };
    default:
      return { why: wait.why };
  }
}
