import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { Question } from '../intents.ts';
import { type Outcome, said } from '../outcome.ts';
import type { Scene, Told } from '../scene.ts';
import { findObsolete, type Swept } from '../sweep.ts';
import { idsIn } from '../targets.ts';

const ROWS = 8;
const listedWords = /\b(?:these|those|them|ces|ceux|celles|parmi)\b/;

/** Open tickets that a commit shows to be done, each with the commit. Tickets listed last come first. */
export const sweep: Question = async function* (scene, heard) {
  const { words, memory } = scene;
  const board = yield* scene.board();
  if ('ok' in board && board.ok.tickets.length === 0) return said([words.emptyBoard]);
  const found = yield* findObsolete(scene);
  const named = idsIn(heard.plain);
  if (named.length > 0) return yield* verdict(scene, named, found);
  if ('why' in found) return said([found.why], [words.chips.list]);
  if (found.ok.length === 0) {
    const commits = yield* scene.commits();
    return said(
      [words.sweepNone('ok' in commits ? commits.ok.length : 0)],
      [words.chips.next, words.chips.list],
    );
  }
  const listed = memory.listed;
  const rows = [
    ...found.ok.filter(one => listed.includes(one.ticket.id)),
    ...found.ok.filter(one => !listed.includes(one.ticket.id)),
  ];
  const elsewhere =
    listedWords.test(heard.plain) && listed.length > 0 && !rows.some(one => listed.includes(one.ticket.id));
  memory.listed = rows.map(one => one.ticket.id);
  memory.focus = rows.length === 1 ? (rows[0]?.ticket.id ?? null) : null;
  return said(
    [
      elsewhere ? words.sweepOthers : null,
      words.sweepHead(rows.length),
      ...rows.slice(0, ROWS).map(one => `- ${words.item(one.ticket, one.evidence)}`),
      rows.length > ROWS ? words.listMore(rows.length - ROWS) : null,
      words.sweepOffer(rows.length),
    ],
    [
      ...(scene.granted('close_issue') ? [words.chips.closeObsolete] : []),
      ...rows.slice(0, 1).map(one => words.chips.show(one.ticket.id)),
    ],
  );
};

/** What the history says of the tickets that were asked about, and of no others. */
async function* verdict(
  scene: Scene,
  ids: readonly string[],
  found: Told<readonly Swept[]>,
): AsyncGenerator<BackendEvent, Outcome> {
  const { words } = scene;
  const board = yield* scene.board();
  if ('why' in board) return said([words.boardUnread(board.why)]);
  const rows = ids.slice(0, ROWS).map(id => {
    const ticket = board.ok.tickets.find(one => one.id === id);
    if (ticket === undefined) return words.noTicket(id);
    if ('why' in found) return words.standing(ticket, found.why);
    const swept = found.ok.find(one => one.ticket.id === id);
    return swept === undefined
      ? words.standing(ticket, ticket.state === 'done' ? null : words.noEvidence(id))
      : words.item(ticket, swept.evidence);
  });
  const [first] = ids;
  scene.memory.focus = ids.length === 1 ? (first ?? null) : null;
  return said(rows, first === undefined ? [] : [words.chips.show(first), words.chips.sweep]);
}
