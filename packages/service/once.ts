import type { HomeReceipts } from '@hearth/conversations/home-receipts.ts';
import type { CommandId } from '@hearth/protocol/ids.ts';
import { canonicalJson } from '@hearth/protocol/json.ts';
import type { Ticket } from '@hearth/protocol/ticket.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { ProblemError } from './problem.ts';

/*
 * Commands on a board are carried out once: the same id with the same body gets the first answer for 90 days, and with
 * another body it is refused. The command is written down before it is carried out; one that was cut short is looked
 * for on the board before it is done again.
 */

/** A command on a board: how to do it, and how to find again what it did. */
export interface BoardWork<T> {
  do(): Promise<T>;
  /** The tickets that it made or changed. */
  tickets(answer: T): readonly Ticket['id'][];
  /** The answer, once more. */
  again(tickets: readonly Ticket['id'][]): Promise<T>;
  /** What it did, if it was begun at `since` and cut short; absent where doing it twice changes nothing. */
  found?(since: string): Promise<T | null>;
}

/** Commands on boards, by their ids. */
export class Once {
  readonly #receipts: HomeReceipts;
  readonly #clock: Clock;
  /** Commands under way. */
  readonly #under = new Map<CommandId, { readonly payload: string; readonly answer: Promise<unknown> }>();

  constructor(receipts: HomeReceipts, clock: Clock) {
    this.#receipts = receipts;
    this.#clock = clock;
  }

  /** Throws `command_conflict`; a command that failed may be tried again under its id. */
  run<T>(commandId: CommandId, command: unknown, work: BoardWork<T>): Promise<T> {
    const payload = sha256(canonicalJson(command));
    const under = this.#under.get(commandId);
    if (under !== undefined && under.payload !== payload) return Promise.reject(conflict());
    // The same body under the same id was made by the same route, so its answer has the same type.
    if (under !== undefined) return under.answer as Promise<T>;
    const answer = this.#carry(commandId, payload, work).finally(() => this.#under.delete(commandId));
    this.#under.set(commandId, { payload, answer });
    return answer;
  }

  async #carry<T>(commandId: CommandId, payload: ReturnType<typeof sha256>, work: BoardWork<T>): Promise<T> {
    const known = await this.#receipts.find(commandId);
    if (known !== null && known.payload !== payload) throw conflict();
    if (known?.done === true) return work.again(known.tickets ?? []);
    const at = known?.at ?? instant(this.#clock);
    await this.#receipts.put({ commandId, payload, at, done: false });
    const answer = (known === null ? null : await work.found?.(at)) ?? (await work.do());
    await this.#receipts.put({ commandId, payload, at, done: true, tickets: [...work.tickets(answer)] });
    return answer;
  }
}

function conflict(): ProblemError {
  return new ProblemError('command_conflict', 'This command id was used for another command: make a new id.');
}
