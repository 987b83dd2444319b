import { TicketState } from '@hearth/protocol/ticket.ts';
import type { BoardTicket } from '../board-reading.ts';
import { choose, READ_WHOLE } from '../choosing.ts';
import type { Question } from '../intents.ts';
import { said } from '../outcome.ts';
import { living } from '../sweep.ts';
import { reasons } from './shortlist.ts';
import { ticketsOf } from './tickets.ts';

/** The state of the board in one line and one recommendation; an empty board is offered an import. */
export const greet: Question = async function* (scene) {
  const { words } = scene;
  const found = yield* ticketsOf(scene);
  if ('is' in found) return found;
  const { tickets, unread } = found;
  const open = tickets.filter(ticket => ticket.state !== 'done');
  if (open.length === 0) return said([words.allDone, unread]);
  const { live, done } = yield* living(scene, tickets);
  const { best, unread: passed } = await choose(scene, live, tickets, 'next', 1);
  const [pick] = best;
  scene.memory.pick = pick?.ticket.id ?? null;
  scene.memory.focus = scene.memory.pick;
  scene.memory.listed = pick === undefined ? [] : [pick.ticket.id];
  return said(
    [
      words.greeting(open.length, byState(open, words.states), tickets.length - open.length),
      pick === undefined
        ? passed > 0
          ? words.noneRead(READ_WHOLE, passed)
          : words.nothingFree
        : words.recommend(pick.ticket, reasons(scene, pick.reasons)),
      done === 0 ? null : words.someLookDone(done),
      unread,
    ],
    [words.chips.shortlist, words.chips.sweep, words.chips.list],
  );
};

/** `2 ready, 3 backlog`: the states that have tickets. */
export function byState(
  tickets: readonly BoardTicket[],
  names: Readonly<Record<TicketState, string>>,
): string {
  return TicketState.options
    .map(state => ({ state, n: tickets.filter(ticket => ticket.state === state).length }))
    .filter(({ n }) => n > 0)
    .map(({ state, n }) => `${n} ${names[state]}`)
    .join(', ');
}
