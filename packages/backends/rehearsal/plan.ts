import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { TicketState } from '@hearth/protocol/ticket.ts';
import type { BoardReading } from './board-reading.ts';
import type { Clause } from './clauses.ts';
import { heard } from './clauses.ts';
import type { Act } from './memory.ts';
import type { Scene } from './scene.ts';
import { idsIn, targets, type Targets } from './targets.ts';

/** What a command comes to: changes planned but not made, and what to say besides. */
export interface Plan {
  readonly acts: readonly Act[];
  /** Whether every ticket was named by its id; only then may a ticket be closed without asking. */
  readonly explicit: boolean;
  /** Whether an order is asked, reported, or hangs on a condition or a time, which only the person can judge. */
  readonly doubtful?: boolean;
  readonly say: readonly string[];
}

/** Plans one clause; `null` when its words turn out to be no such command. */
export type Planner = (scene: Scene, clause: Clause) => AsyncGenerator<BackendEvent, Plan | null>;

/** A plan of nothing but words. */
export function only(...say: readonly string[]): Plan {
  return { acts: [], explicit: true, say };
}

/** A plan of one change for each ticket. */
export function each(found: Targets, act: (ticket: string) => Act): Plan {
  return { acts: found.ids.map(act), explicit: found.how === 'ids', say: [] };
}

/** Where a clause's tickets are looked for when not in all its words: see `Spoken` and `targets`. */
export interface MeantMore {
  readonly plain?: string;
  readonly text?: string;
  readonly titleWords?: number | 'all';
  readonly from?: TicketState;
}

/** The tickets that a clause means, or what to say when there are none. `null`: the clause names nothing at all. */
export async function* meant(
  scene: Scene,
  clause: Clause,
  more: MeantMore = {},
): AsyncGenerator<BackendEvent, Targets | Plan | null> {
  const told = yield* scene.board();
  if ('why' in told) return only(scene.words.boardUnread(told.why));
  const board: BoardReading = told.ok;
  const found = targets(
    {
      plain: more.plain ?? clause.plainRest,
      text: more.text ?? clause.rest,
      earlier: idsIn(heard(clause.before).plain),
      numbered: scene.numbered,
      ...(more.from === undefined ? {} : { from: more.from }),
    },
    board.tickets,
    scene.memory,
    more.titleWords,
  );
  if (found.how === 'none') return null;
  if (found.how === 'some') {
    const tickets = board.tickets.filter(ticket => found.ids.includes(ticket.id));
    return only(scene.words.whichOf(tickets));
  }
  if (found.how === 'unclear') return only(scene.words.needNames);
  if (found.ids.length > 0) return found;
  return only(found.how === 'all' ? scene.words.noSuchTickets : scene.words.which);
}

/** Whether `meant` gave tickets. */
export function areTargets(found: Targets | Plan): found is Targets {
  return 'how' in found;
}

/** The words after a reason or a colon, as they were written; `null` when there are none. */
export function reasonIn(rest: string): string | null {
  const match =
    /(?:^|[\s,;])(?:because|since|as it|car|parce qu(?:e |['’])|puisque|vu que|reason)\s*:?\s*(.+)$|:\s*(.+)$/is.exec(
      rest,
    );
  const reason = (match?.[1] ?? match?.[2] ?? '').trim();
  return reason === '' ? null : reason;
}
