import type { BoardTicket } from './board-reading.ts';
import type { Scene } from './scene.ts';
import { type Aim, type Candidate, ranked, SHORTLIST, shortlist } from './shortlist.ts';

/*
 * Chooses the tickets to recommend. A list shows only the beginning of a body, and what blocks a ticket or makes it large
 * may stand further on; so the likeliest candidates are read whole, one after the other, until enough of them survive.
 */

/** How many tickets are read whole at most; each is a call of its own. */
export const READ_WHOLE = 40;

/** The candidates that survive being read, best first. `unread` is how many were passed over at the bound. */
export interface Choice {
  readonly best: readonly Candidate[];
  readonly unread: number;
}

/** Chooses up to `enough` of the tickets. */
export async function choose(
  scene: Scene,
  tickets: readonly BoardTicket[],
  board: readonly BoardTicket[],
  aim: Aim,
  enough: number = SHORTLIST,
): Promise<Choice> {
  const likely = ranked(tickets, board, aim).map(({ ticket }) => ticket);
  const whole: BoardTicket[] = [];
  let calls = 0;
  let unread = 0;
  for (const ticket of likely) {
    if (whole.length >= enough) break;
    const reads = isCut(ticket) && scene.granted('get_issue');
    if (reads && calls >= READ_WHOLE) {
      unread += 1;
      continue;
    }
    calls += reads ? 1 : 0;
    const looked = reads ? await scene.look(ticket.id) : { ok: ticket };
    const read = 'ok' in looked ? looked.ok : ticket;
    if (ranked([read], board, aim).length > 0) whole.push(read);
  }
  return { best: shortlist(whole, board, aim).slice(0, enough), unread };
}

/** A list marks a body that goes on with `…`. */
function isCut(ticket: BoardTicket): boolean {
  return ticket.body.endsWith('…');
}
