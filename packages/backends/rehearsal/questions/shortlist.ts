import type { BoardTicket } from '../board-reading.ts';
import { choose, READ_WHOLE } from '../choosing.ts';
import { narrowed } from '../filters.ts';
import type { Question } from '../intents.ts';
import { said } from '../outcome.ts';
import type { Reason } from '../quick-win.ts';
import type { Scene } from '../scene.ts';
import type { Aim, Candidate } from '../shortlist.ts';
import { living } from '../sweep.ts';
import { labelsIn } from '../targets.ts';
import { ticketsOf } from './tickets.ts';

const quick =
  /\b(?:quick(?: ?wins?)?|low hanging|eas(?:y|iest)|simples?|simplest|quickest|small(?:est)?|short|tiny|facile|faciles|petite?s?|rapides?|vite|courte?s?|moins d effort)\b/;
const sizes = /^(?:xs|s|small|quick|easy|ready|facile|rapide|petit)/i;

/** At most three tickets with their reasons and one pick. What the history shows as done is left out, and that is said. */
export const shortlist: Question = async function* (scene, heard) {
  const { words } = scene;
  const board = yield* ticketsOf(scene);
  if ('is' in board) return board;
  const { tickets } = board;
  const aim: Aim = quick.test(heard.plain.replaceAll('short list', '')) ? 'quick_win' : 'next';
  const { live, done } = yield* living(scene, tickets);
  const labels = labelsIn(heard.plain, live).filter(label => !sizes.test(label));
  const labelled =
    labels.length === 0 ? live : live.filter(ticket => ticket.labels.some(label => labels.includes(label)));
  const { tickets: wanted, to } = narrowed(heard.plain, labelled, words);
  const among = to.length === 0 ? null : words.among(words.list(to));
  if (wanted.length === 0 && done === 0) return said([words.allDone]);
  const { best: found, unread } = await choose(scene, wanted, tickets, aim);
  const [pick] = found;
  const leftOut = done === 0 ? null : words.someLookDone(done);
  if (pick === undefined && unread > 0)
    return said([words.noneRead(READ_WHOLE, unread), leftOut], [words.chips.list]);
  if (pick === undefined) return await nothing(scene, wanted, tickets, aim, leftOut);
  scene.memory.listed = found.map(({ ticket }) => ticket.id);
  scene.memory.numbered = scene.memory.listed;
  scene.memory.pick = pick.ticket.id;
  scene.memory.focus = pick.ticket.id;
  const guesses = found.filter(({ reasons: why }) => why.some(({ is }) => is === 'no_size')).length;
  const rows = found.map(
    ({ ticket, reasons: why }, at) => `${at + 1}. ${words.row(ticket, reasons(scene, why))}`,
  );
  return said(
    [
      among,
      words.shortlist(aim, found.length, aim === 'quick_win' ? guesses : 0),
      // A list that a line follows directly would take the line into its last row.
      `${rows.join('\n')}\n`,
      words.pick(pick.ticket, reasons(scene, pick.reasons)),
      unread === 0 ? null : words.unread(unread),
      leftOut,
    ],
    chips(scene, pick),
  );
};

function chips(scene: Scene, pick: Candidate): string[] {
  const { chips: chip } = scene.words;
  const start =
    scene.granted('transition_issue') && pick.ticket.state !== 'review'
      ? [chip.dispatch(pick.ticket.id)]
      : [];
  return [...start, chip.show(pick.ticket.id), chip.sweep];
}

async function nothing(
  scene: Scene,
  wanted: readonly BoardTicket[],
  board: readonly BoardTicket[],
  aim: Aim,
  leftOut: string | null,
) {
  const { words } = scene;
  if (aim === 'next') return said([words.nothingFree, leftOut], [words.chips.list]);
  const [near] = (await choose(scene, wanted, board, 'next', 1)).best;
  if (near === undefined) return said([words.noQuickWin, words.nothingFree, leftOut], [words.chips.list]);
  scene.memory.listed = [near.ticket.id];
  scene.memory.pick = near.ticket.id;
  scene.memory.focus = near.ticket.id;
  return said(
    [words.noQuickWin, words.insteadNext(near.ticket, reasons(scene, near.reasons)), leftOut],
    chips(scene, near),
  );
}

/** Reasons in the person's language, in one phrase. */
export function reasons(scene: Scene, why: readonly Reason[]): string {
  return scene.words.list(why.map(reason => scene.words.reason(reason)));
}
