import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Ticket } from '@hearth/protocol/ticket.ts';
import type { TicketId } from '@hearth/protocol/ticket.ts';
import { DamagedFile, readJson, sweepTemps, writeJson } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { BoardError } from './board-error.ts';
import { parseTicketId, ticketId, ticketNumber } from './ticket-id.ts';

/*
 * The files of one board and the order in which they are written.
 *
 *   workspace.json        {format, path}: whose board this is
 *   board.json            {format, next}: the next id; raised BEFORE a ticket gets it, so that no id is ever used twice
 *   tickets/HB-<n>.json   one ticket; a change is one rename, so a reader meets the old one or the new one
 *   import.json           the tickets of an import that has been decided and not yet wholly written
 *
 * A damaged file is reported and never removed: what is in it belongs to its person.
 */

/** `board.json`: the number that the next ticket gets. None is given out twice. */
export const BoardCounter = z.object({ format: z.literal(1), next: z.int().positive() });
/** `workspace.json`: whose board it is, since the directory's name is only a digest of the path. */
export const BoardWorkspace = z.object({ format: z.literal(1), path: z.string() });
const PendingImport = z.object({ format: z.literal(1), tickets: z.array(Ticket) });

/** A ticket's file that cannot be read as one. */
export interface DamagedTicket {
  readonly file: string;
  readonly why: string;
}

/** How many files are read at once. */
const together = 32;

const repair = 'repair it, or move it elsewhere and the board goes on without it';

/** The files of one board. Every change rejects with `DiskError` when it cannot be made durable. */
export class BoardFiles {
  readonly #disk: Disk;
  readonly #directory: string;
  readonly #workspace: string;
  /** Whether the directory is known to be there for good. */
  #made = false;

  /** `directory` is the board's own, `<home>/boards/<key>`; `workspace` the real path that it belongs to. */
  constructor(disk: Disk, directory: string, workspace: string) {
    this.#disk = disk;
    this.#directory = directory;
    this.#workspace = workspace;
  }

  /** Checks that the board is this workspace's and sweeps it; one that was never written to has no directory. Throws `board_damaged`. */
  async open(): Promise<void> {
    for (const directory of [this.#directory, this.#path('tickets')]) await sweepTemps(this.#disk, directory);
    await this.#isOurs();
    await this.#counter();
  }

  /** The numbers of all tickets, damaged ones included, in order. */
  async numbers(): Promise<readonly number[]> {
    const names = await this.#disk.list(this.#path('tickets'));
    return names
      .flatMap(name => {
        const id = name.endsWith('.json') ? parseTicketId(name.slice(0, -'.json'.length)) : null;
        return id !== null && name === `${id}.json` ? [ticketNumber(id)] : [];
      })
      .sort((a, b) => a - b);
  }

  /** One ticket; `null` when there is none. Throws `ticket_damaged`. */
  async ticket(id: TicketId): Promise<Ticket | null> {
    const found = await this.#ticket(id);
    if (!(found instanceof DamagedFile)) return found;
    const message = `${id} cannot be used: "${found.path}" is damaged (${found.why}); ${repair}.`;
    throw new BoardError('ticket_damaged', message, { cause: found });
  }

  /** Every ticket that can be read, in order of number, and what cannot. */
  async tickets(): Promise<{
    readonly tickets: readonly Ticket[];
    readonly damaged: readonly DamagedTicket[];
  }> {
    const numbers = await this.numbers();
    const tickets: Ticket[] = [];
    const damaged: DamagedTicket[] = [];
    for (let start = 0; start < numbers.length; start += together) {
      const ids = numbers.slice(start, start + together).map(ticketId);
      const found = await Promise.all(ids.map(id => this.#ticket(id)));
      for (const read of found) {
        if (read === null) continue;
        if (read instanceof DamagedFile) damaged.push({ file: read.path, why: `${read.why}; ${repair}` });
        else tickets.push(read);
      }
    }
    return { tickets, damaged };
  }

  /** Writes one ticket; returns when it is durable. */
  async put(ticket: Ticket): Promise<void> {
    await this.#write(`tickets/${ticket.id}.json`, ticket);
  }

  /** Takes `count` ids off the counter for good and returns them. They may go unused, they are never given again. */
  async reserve(count: number): Promise<readonly TicketId[]> {
    const first = await this.#counter();
    await this.#write('board.json', { format: 1, next: first + count });
    return Array.from({ length: count }, (_, index) => ticketId(first + index));
  }

  /** Writes several new tickets, all of them or none: once `import.json` is there, `finishImport` completes the rest. */
  async putAll(tickets: readonly Ticket[]): Promise<void> {
    await this.#write('import.json', { format: 1, tickets });
    await this.finishImport();
  }

  /** Completes an import that a crash or a full disk cut short; does nothing when there is none. */
  async finishImport(): Promise<void> {
    const pending = await this.#read(
      'import.json',
      PendingImport,
      'remove it to give the unfinished import up',
    );
    if (pending === null) return;
    const present = new Set(await this.numbers());
    for (const ticket of pending.tickets) {
      if (!present.has(ticketNumber(ticket.id))) await this.put(ticket);
    }
    await this.#disk.remove(this.#path('import.json'));
    await this.#disk.syncDirectory(this.#directory);
  }

  /** The next free number: the counter's, or one above the highest ticket when that is more. */
  async #counter(): Promise<number> {
    const counter = await this.#read(
      'board.json',
      BoardCounter,
      'remove it and ids go on after the highest ticket',
    );
    const highest = (await this.numbers()).at(-1) ?? 0;
    return Math.max(counter?.next ?? 1, highest + 1);
  }

  /** Whether `workspace.json` says so; it is not there before the first write. */
  async #isOurs(): Promise<boolean> {
    const found = await this.#read('workspace.json', BoardWorkspace, 'remove it and it is written anew');
    if (found === null || found.path === this.#workspace) return found !== null;
    const file = this.#path('workspace.json');
    throw new BoardError(
      'board_damaged',
      `"${file}" names ${found.path} although this is the board of ${this.#workspace}; correct its "path" and try again.`,
    );
  }

  /** Makes the board's directory before anything is written into it. */
  async #make(): Promise<void> {
    if (this.#made) return;
    await this.#disk.makeDirectory(this.#path('tickets'));
    const boards = dirname(this.#directory);
    for (const directory of [this.#directory, boards, dirname(boards)])
      await this.#disk.syncDirectory(directory);
    if (!(await this.#isOurs()))
      await writeJson(this.#disk, this.#path('workspace.json'), { format: 1, path: this.#workspace });
    this.#made = true;
  }

  async #ticket(id: TicketId): Promise<Ticket | DamagedFile | null> {
    const path = this.#ticketPath(id);
    try {
      const ticket = await readJson(this.#disk, path, Ticket);
      return ticket === null || ticket.id === id
        ? ticket
        : new DamagedFile(path, `it calls itself ${ticket.id}`);
    } catch (error) {
      if (error instanceof DamagedFile) return error;
      throw error;
    }
  }

  async #read<T>(name: string, schema: z.ZodType<T>, remedy: string): Promise<T | null> {
    try {
      return await readJson(this.#disk, this.#path(name), schema);
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      const message = `"${error.path}" is damaged (${error.why}); restore it from a copy, or ${remedy}.`;
      throw new BoardError('board_damaged', message, { cause: error });
    }
  }

  async #write(name: string, value: unknown): Promise<void> {
    await this.#make();
    await writeJson(this.#disk, this.#path(name), value);
  }

  #ticketPath(id: TicketId): string {
    return this.#path(`tickets/${id}.json`);
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }
}
