import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { BoardTicket } from './board-reading.ts';
import { type Evidence, obsolete } from './obsolete.ts';
import type { Scene, Told } from './scene.ts';

/** What the sweep found, in words for the person and for the comment. */
export interface Swept {
  readonly ticket: Evidence['ticket'];
  readonly evidence: string;
}

/**
 * Looks for obsolete tickets in board and history, and remembers them with their evidence, so that "close them" knows
 * what is meant. `why` says what could not be read.
 */
export async function* findObsolete(scene: Scene): AsyncGenerator<BackendEvent, Told<readonly Swept[]>> {
  const board = yield* scene.board();
  if ('why' in board) return { why: scene.words.boardUnread(board.why) };
  const commits = yield* scene.commits();
  if ('why' in commits) return { why: scene.words.sweepNoHistory(commits.why) };
  if (commits.ok.length === 0) return { why: scene.words.sweepNoHistory(scene.words.sweepNoCommits) };
  const swept = obsolete(board.ok.tickets, commits.ok).map(({ ticket, commit, words }) => ({
    ticket,
    evidence: scene.words.evidence(commit, words, ticket.id),
  }));
  scene.memory.obsolete = swept.map(({ ticket, evidence }) => ({
    ticket: ticket.id,
    comment: scene.words.evidenceComment(evidence),
  }));
  return { ok: swept };
}

/** The open tickets without those that the history shows as done, and how many these are; without a history all of them. */
export async function* living(
  scene: Scene,
  tickets: readonly BoardTicket[],
): AsyncGenerator<BackendEvent, { readonly live: readonly BoardTicket[]; readonly done: number }> {
  const open = tickets.filter(ticket => ticket.state !== 'done');
  const commits = scene.granted('git_log') && open.length > 0 ? yield* scene.commits() : null;
  const done =
    commits !== null && 'ok' in commits ? obsolete(open, commits.ok).map(({ ticket }) => ticket.id) : [];
  return { live: open.filter(ticket => !done.includes(ticket.id)), done: done.length };
}
