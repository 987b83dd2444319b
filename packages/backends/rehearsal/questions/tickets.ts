import type { BackendEvent } from '@hearth/engine/backend.ts';
import type { BoardTicket } from '../board-reading.ts';
import { type Said, said } from '../outcome.ts';
import type { Scene } from '../scene.ts';

/** The tickets that a question is answered from, never none, and a line about files that cannot be read. */
export interface Tickets {
  readonly tickets: readonly BoardTicket[];
  readonly unread: string | null;
}

/** Reads the board; what there is to say instead when it cannot be read or is empty. */
export async function* ticketsOf(scene: Scene): AsyncGenerator<BackendEvent, Tickets | Said> {
  const { words } = scene;
  const board = yield* scene.board();
  if ('why' in board) return said([words.boardUnread(board.why)]);
  const { tickets, damaged } = board.ok;
  const unread = damaged.length === 0 ? null : words.damaged(damaged);
  return tickets.length === 0 ? said([words.emptyBoard, unread]) : { tickets, unread };
}
