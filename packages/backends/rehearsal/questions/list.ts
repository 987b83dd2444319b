import { choose } from '../choosing.ts';
import { narrowed } from '../filters.ts';
import type { Question } from '../intents.ts';
import { said } from '../outcome.ts';
import { living } from '../sweep.ts';
import { labelsIn, ofKind, stateWords } from '../targets.ts';
import { byState } from './greet.ts';
import { reasons } from './shortlist.ts';
import { ticketsOf } from './tickets.ts';

/** Longer lists say how many more there are: nobody asked for a dump. */
const ROWS = 10;

/** The tickets of a state or label, or the open ones, with counts and a recommendation. */
export const list: Question = async function* (scene, heard) {
  const { words } = scene;
  const found = yield* ticketsOf(scene);
  if ('is' in found) return found;
  const { tickets, unread } = found;
  const { tickets: wanted, to, cannot } = narrowed(heard.plain, ofKind(heard.plain, tickets), words);
  const states = stateWords
    .filter(([, word]) => word.test(heard.plain))
    .map(([state]) => words.listState(state));
  const labels = labelsIn(heard.plain, tickets).map(label => words.listLabel(label));
  const what = [...(states.length === 0 ? [words.listOpen(wanted.length)] : states), ...labels, ...to].join(
    ', ',
  );
  const rows = wanted.slice(0, ROWS);
  scene.memory.listed = rows.map(ticket => ticket.id);
  if (rows.length === 1) scene.memory.focus = rows[0]?.id ?? null;
  const plain = states.length + labels.length + to.length === 0;
  const [pick] = plain
    ? (await choose(scene, (yield* living(scene, tickets)).live, tickets, 'next', 1)).best
    : [];
  if (pick !== undefined) scene.memory.pick = pick.ticket.id;
  return said(
    [
      cannot === null ? null : words.cannotFilter(cannot),
      words.listHead(wanted.length, what),
      ...rows.map(
        ticket => `- ${words.named(ticket)} (${[words.states[ticket.state], ...ticket.labels].join(', ')})`,
      ),
      wanted.length > ROWS ? words.listMore(wanted.length - ROWS) : null,
      plain && wanted.length > ROWS ? `${byState(wanted, words.states)}.` : null,
      pick === undefined ? null : words.recommend(pick.ticket, reasons(scene, pick.reasons)),
      unread,
    ],
    [words.chips.shortlist, words.chips.sweep],
  );
};

/** Words that name a label of the board: its tickets are listed. */
export const labelled: Question = async function* (scene, heard) {
  const board = yield* scene.board();
  if ('why' in board || labelsIn(heard.plain, board.ok.tickets).length === 0) return null;
  return yield* list(scene, heard);
};
