import type { Question } from '../intents.ts';
import { said } from '../outcome.ts';
import { findObsolete } from '../sweep.ts';

const ROWS = 8;
const listedWords = /\b(?:these|those|them|ces|ceux|celles|parmi)\b/;

/** Open tickets that a commit shows to be done, each with the commit. Tickets listed last come first. */
export const sweep: Question = async function* (scene, heard) {
  const { words, memory } = scene;
  const board = yield* scene.board();
  if ('ok' in board && board.ok.tickets.length === 0) return said([words.emptyBoard]);
  const found = yield* findObsolete(scene);
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
