import type {
  BotArgs,
  NewTicket,
  Ticket,
  TicketChange,
  TicketId,
  TicketState,
} from '@hearth/protocol/ticket.ts';
import { instant } from '@hearth/store/clock.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { Serial } from '@hearth/store/serial.ts';
import { checkBlockers } from './blockers.ts';
import { BoardError } from './board-error.ts';
import type { BoardFiles, DamagedTicket } from './board-files.ts';
import { parseImport } from './import.ts';
import {
  argsSet,
  assigned,
  blockersSet,
  botSet,
  commented,
  created,
  edited,
  labelled,
  moved,
  prioritySet,
} from './ticket-change.ts';
import type { Stamp } from './ticket-change.ts';
import { parseTicketId, unknownTicket } from './ticket-id.ts';
import { closedState, isClosed, states } from './transitions.ts';

/*
 * The tickets of one workspace. The disk is the only truth: every call reads what is there, calls are served one after
 * another, and a returned ticket is durable. Ids are taken as `HB-4`, `hb-4` or `4`.
 */

/** Which tickets to list; each word given must hold. `owner` is compared without regard to case. */
export interface TicketFilter {
  readonly state?: TicketState;
  readonly label?: string;
  readonly owner?: string;
}

/** The tickets that a filter asked for. */
export interface TicketList {
  /** In order of state, then number. */
  readonly tickets: readonly Ticket[];
  /** Files that cannot be read as tickets, whatever the filter says. */
  readonly damaged: readonly DamagedTicket[];
}

/** What became of a change: the history lines it added, or why there was nothing to do. */
export type TicketOutcome =
  | { readonly changed: true; readonly ticket: Ticket; readonly changes: readonly TicketChange[] }
  | { readonly changed: false; readonly ticket: Ticket; readonly why: 'same' | 'already_closed' };

/** New values of a ticket; what is absent stays. `null` takes an owner, a bot, its args or a priority away; `labels` and `blockers` are whole new sets. */
export interface TicketFields {
  readonly title?: string;
  readonly body?: string;
  readonly state?: TicketState;
  readonly labels?: readonly string[];
  readonly owner?: string | null;
  readonly bot?: string | null;
  readonly botArgs?: BotArgs | null;
  readonly priority?: number | null;
  readonly blockers?: readonly TicketId[];
}

/** The tickets that an import made and what it passed over, each in the order of the source. */
export interface ImportOutcome {
  readonly created: readonly Ticket[];
  readonly skipped: readonly { readonly title: string; readonly why: string }[];
}

/** A pure change of a ticket; the same ticket when there is nothing to change. */
export type Edit = (ticket: Ticket, stamp: Stamp) => Ticket;

function edits(fields: TicketFields): readonly Edit[] {
  const { title, body, labels, owner, bot, botArgs, priority, blockers, state } = fields;
  const words = { ...(title === undefined ? {} : { title }), ...(body === undefined ? {} : { body }) };
  const list: Edit[] = [(ticket, stamp) => edited(ticket, words, stamp)];
  if (labels !== undefined) list.push((ticket, stamp) => labelled(ticket, labels, stamp));
  if (owner !== undefined) list.push((ticket, stamp) => assigned(ticket, owner, stamp));
  if (bot !== undefined) list.push((ticket, stamp) => botSet(ticket, bot, stamp));
  if (botArgs !== undefined) list.push((ticket, stamp) => argsSet(ticket, botArgs, stamp));
  if (priority !== undefined) list.push((ticket, stamp) => prioritySet(ticket, priority, stamp));
  if (blockers !== undefined) list.push((ticket, stamp) => blockersSet(ticket, blockers, stamp));
  if (state !== undefined) list.push((ticket, stamp) => moved(ticket, state, stamp));
  return list;
}

/** Told of each ticket that was changed or made, once that is durable. */
export type OnTicket = (ticket: Ticket) => void;

/** The tickets of one workspace. Its changes follow one another, and each is durable when it resolves. */
export class Board {
  /** The workspace's real path. */
  readonly workspace: string;
  readonly #files: BoardFiles;
  readonly #clock: Clock;
  readonly #serial = new Serial();
  readonly #onTicket: OnTicket;
  /** Whether no import can be waiting to be completed. */
  #settled = false;

  /** Made by `Boards`; `files` must have been opened. */
  constructor(workspace: string, files: BoardFiles, clock: Clock, onTicket: OnTicket = () => undefined) {
    this.workspace = workspace;
    this.#files = files;
    this.#clock = clock;
    this.#onTicket = onTicket;
  }

  async list(filter: TicketFilter = {}): Promise<TicketList> {
    return this.#inTurn(async () => {
      const { tickets, damaged } = await this.#files.tickets();
      const owner = filter.owner?.toLowerCase();
      const kept = tickets.filter(
        ticket =>
          (filter.state === undefined || ticket.state === filter.state) &&
          (filter.label === undefined || ticket.labels.includes(filter.label)) &&
          (owner === undefined || ticket.owner?.toLowerCase() === owner),
      );
      const order = (a: Ticket, b: Ticket) => states[a.state].order - states[b.state].order;
      return { tickets: kept.toSorted(order), damaged };
    });
  }

  /** Throws `unknown_ticket` or `ticket_damaged`, as everything does that takes an id. */
  async get(id: string): Promise<Ticket> {
    return this.#inTurn(async () => this.#find(id));
  }

  /** Every label in use, sorted, with the number of open and of all tickets that carry it. */
  async labels(): Promise<
    readonly { readonly label: string; readonly open: number; readonly tickets: number }[]
  > {
    const { tickets } = await this.list();
    const counts = new Map<string, { open: number; tickets: number }>();
    for (const ticket of tickets) {
      for (const label of ticket.labels) {
        const count = counts.get(label) ?? { open: 0, tickets: 0 };
        count.tickets += 1;
        if (!isClosed(ticket.state)) count.open += 1;
        counts.set(label, count);
      }
    }
    return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([label, count]) => ({ label, ...count }));
  }

  /** `by` is who is written down as its author. Without a state it goes to the inbox. */
  async add(fresh: NewTicket, by: string): Promise<Ticket> {
    return this.#inTurn(async () => {
      if (fresh.title.trim() === '')
        throw new BoardError('invalid_ticket', 'A ticket needs a title; give it a short one.');
      await this.#checkBlockers(null, fresh.blockers);
      const [id] = await this.#files.reserve(1);
      const ticket = created(this.#reserved(id), fresh, this.#stamp(by));
      await this.#files.put(ticket);
      this.#onTicket(ticket);
      return ticket;
    });
  }

  /** Sets several fields in one write; a crash leaves all of them or none. */
  async change(id: string, fields: TicketFields, by: string): Promise<TicketOutcome> {
    if (fields.title?.trim() === '')
      throw new BoardError('invalid_ticket', 'A ticket needs a title; give it a short one.');
    return this.#change(id, edits(fields), by, fields.blockers);
  }

  /** Moves a ticket anywhere; out of a closed state it is `reopened`, into one it is `closed`. */
  async move(id: string, to: TicketState, by: string): Promise<TicketOutcome> {
    return this.change(id, { state: to }, by);
  }

  /** `labels` is the whole new set. */
  async label(id: string, labels: readonly string[], by: string): Promise<TicketOutcome> {
    return this.change(id, { labels }, by);
  }

  async assign(id: string, owner: string | null, by: string): Promise<TicketOutcome> {
    return this.change(id, { owner }, by);
  }

  async setBot(id: string, bot: string | null, by: string): Promise<TicketOutcome> {
    return this.change(id, { bot }, by);
  }

  async comment(id: string, body: string, by: string): Promise<TicketOutcome> {
    if (body.trim() === '') throw new BoardError('invalid_ticket', 'A comment needs words; write some.');
    return this.#change(id, [(ticket, stamp) => commented(ticket, body, stamp)], by);
  }

  /**
   * Closes a ticket; a comment is recorded before the close and in the same write. A ticket that is closed already is
   * left as it is, without the comment: `already_closed`.
   */
  async close(id: string, by: string, comment?: string): Promise<TicketOutcome> {
    const close: Edit = (ticket, stamp) => {
      if (isClosed(ticket.state)) return ticket;
      const spoken =
        comment === undefined || comment.trim() === '' ? ticket : commented(ticket, comment, stamp);
      return moved(spoken, closedState, stamp);
    };
    const outcome = await this.#change(id, [close], by);
    return outcome.changed ? outcome : { ...outcome, why: 'already_closed' };
  }

  /**
   * Imports a Markdown checklist or a JSON array, all of it or nothing. An item whose title an open ticket has, or an
   * earlier item of the same import, is skipped and said so. `name` is the source's, for its ending and for errors.
   */
  async import(source: string, name: string, by: string): Promise<ImportOutcome> {
    const entries = parseImport(source, name);
    return this.#inTurn(async () => {
      const { tickets } = await this.#files.tickets();
      const taken = new Map(
        tickets
          .filter(({ state }) => !isClosed(state))
          .map(({ title, id }) => [title, `${id} is open with this title`]),
      );
      const fresh: NewTicket[] = [];
      const skipped: { title: string; why: string }[] = [];
      for (const { blockers = [] } of entries) checkBlockers(tickets, null, blockers);
      for (const entry of entries) {
        const why = taken.get(entry.title);
        if (why === undefined) fresh.push(entry);
        else skipped.push({ title: entry.title, why });
        taken.set(entry.title, why ?? 'it stands earlier in this import');
      }
      if (fresh.length === 0) return { created: [], skipped };
      const ids = await this.#files.reserve(fresh.length);
      const stamp = this.#stamp(by);
      const made = fresh.map((entry, index) => created(this.#reserved(ids[index]), entry, stamp));
      this.#settled = false;
      await this.#files.putAll(made);
      this.#settled = true;
      for (const ticket of made) this.#onTicket(ticket);
      return { created: made, skipped };
    });
  }

  /**
   * Changes a ticket as `edit` says, in one write; what it throws is thrown, and nothing is changed then. The dispatcher
   * edits through this what only it may.
   */
  async edit(id: string, edit: Edit, by: string): Promise<TicketOutcome> {
    return this.#change(id, [edit], by);
  }

  async #change(
    id: string,
    list: readonly Edit[],
    by: string,
    blockers?: readonly TicketId[],
  ): Promise<TicketOutcome> {
    return this.#inTurn(async () => {
      const before = await this.#find(id);
      await this.#checkBlockers(before.id, blockers);
      const stamp = this.#stamp(by);
      const after = list.reduce((ticket, edit) => edit(ticket, stamp), before);
      if (after === before) return { changed: false, ticket: before, why: 'same' };
      await this.#files.put(after);
      this.#onTicket(after);
      return { changed: true, ticket: after, changes: after.history.slice(before.history.length) };
    });
  }

  async #checkBlockers(id: TicketId | null, blockers: readonly TicketId[] = []): Promise<void> {
    if (blockers.length > 0) checkBlockers((await this.#files.tickets()).tickets, id, blockers);
  }

  async #find(text: string): Promise<Ticket> {
    const id = parseTicketId(text);
    const ticket = id === null ? null : await this.#files.ticket(id);
    if (ticket !== null) return ticket;
    throw unknownTicket(text, await this.#files.numbers());
  }

  #stamp(by: string): Stamp {
    return { at: instant(this.#clock), by };
  }

  #reserved(id: TicketId | undefined): TicketId {
    if (id === undefined) throw new RangeError('fewer ids were reserved than are needed');
    return id;
  }

  /** One call at a time, each on a board without a half-written import. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#serial.run(async () => {
      if (!this.#settled) await this.#files.finishImport();
      this.#settled = true;
      return work();
    });
  }
}
