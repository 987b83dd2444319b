import { join } from 'node:path';
import { BoardError } from '@hearth/board/board-error.ts';
import type { Boards } from '@hearth/board/boards.ts';
import { lookAt } from '@hearth/board/watch.ts';
import type { Conversations } from '@hearth/conversations/registry.ts';
import type { TicketLook, WatchedTicket } from '@hearth/engine/watched.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import { ConversationId } from '@hearth/protocol/ids.ts';
import type { Ticket } from '@hearth/protocol/ticket.ts';
import { readJson, writeJson } from '@hearth/store/atomic-file.ts';
import type { Clock } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { KeyedSerial } from '@hearth/store/keyed-serial.ts';
import { z } from 'zod';
import { errorFacts, type Log } from './log.ts';

/*
 * Tells conversations of the tickets that they watch. Guarantees: what a conversation was told is part of its own state,
 * so no move is told twice or left out, over crashes too; a change that goes through this service is told at once, one that
 * somebody makes to the files within `EVERY_MS`; while nothing is new no conversation is opened for it.
 *
 * `watching.json` notes who watches what, so that a start need not open every conversation to know. It is a cache: a
 * conversation that it does not name is looked at when it is opened.
 */

/** How often boards are looked at for what was not changed through this service, in milliseconds. */
const EVERY_MS = 10_000;

const Watching = z.object({
  format: z.literal(1),
  conversations: z.record(
    ConversationId,
    z.array(
      z.object({
        ticket: z.string(),
        workspace: z.string().nullable(),
        title: z.string().nullable(),
        state: z.string().nullable(),
        seen: z.int().nonnegative(),
      }),
    ),
  ),
});

/** Which boards are watched, and whose conversations are told. */
export interface TicketWatchOptions {
  readonly disk: Disk;
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly boards: Boards;
  readonly conversations: Pick<Conversations, 'lane'>;
  /** Whose board is meant where a turn had no directory. */
  readonly fallbackWorkspace: string;
}

/** The watch of one home. */
export class TicketWatch {
  readonly #options: TicketWatchOptions;
  readonly #path: string;
  readonly #watching = new Map<ConversationId, readonly WatchedTicket[]>();
  readonly #serial = new KeyedSerial<ConversationId>();
  readonly #under = new Set<Promise<void>>();
  #unwatch: () => void = () => undefined;
  #cancel: (() => void) | null = null;
  #closed = false;
  #written = '';
  #saving: Promise<void> = Promise.resolve();

  private constructor(options: TicketWatchOptions) {
    this.#options = options;
    this.#path = join(options.home, 'watching.json');
  }

  /** Reads who watches what, looks at once whether something moved meanwhile, and goes on looking. */
  static async open(options: TicketWatchOptions): Promise<TicketWatch> {
    const watch = new TicketWatch(options);
    const stored = await readJson(options.disk, watch.#path, Watching).catch(() => null);
    for (const [c, tickets] of Object.entries(stored?.conversations ?? {})) {
      const id = ConversationId.safeParse(c).data;
      if (id !== undefined) watch.#watching.set(id, tickets);
    }
    watch.#written = watch.#text();
    watch.#unwatch = options.boards.watch(({ ticket }) => watch.#changed(ticket.id));
    watch.#lookAround();
    return watch;
  }

  /** A conversation was opened. */
  opened(c: ConversationId): void {
    this.#soon(c, true);
  }

  /** Something was told in a conversation; when an agent ended it may have handed tickets over. */
  take(c: ConversationId, frame: Frame): void {
    if (frame.frame === 'event' && frame.event.type === 'node' && frame.event.change === 'ended') {
      this.#soon(c, true);
    }
  }

  /** Resolves when everything that is due has been told. */
  async settled(): Promise<void> {
    while (this.#under.size > 0) await Promise.all(this.#under);
    await this.#saving;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    this.#unwatch();
    await this.settled();
  }

  /** A workspace may be written in several ways, so that the ticket alone decides; a look too many tells nothing. */
  #changed(ticket: Ticket['id']): void {
    for (const [c, tickets] of this.#watching) {
      if (tickets.some(one => one.ticket === ticket)) this.#soon(c, false);
    }
  }

  /** What somebody changed in the files, or before this service started. Done tickets rest. */
  #lookAround(): void {
    for (const [c, tickets] of this.#watching) {
      if (tickets.some(one => one.state !== 'done')) this.#soon(c, false);
    }
    this.#cancel?.();
    if (!this.#closed) this.#cancel = this.#options.clock.after(EVERY_MS, () => this.#lookAround());
  }

  /** `fresh`: what it watches may have changed. */
  #soon(c: ConversationId, fresh: boolean): void {
    if (this.#closed) return;
    const work = this.#serial
      .run(c, () => this.#look(c, fresh))
      .catch((error: unknown) => this.#options.log.write('watch_failed', errorFacts(error)))
      .finally(() => this.#under.delete(work));
    this.#under.add(work);
  }

  async #look(c: ConversationId, fresh: boolean): Promise<void> {
    const { conversations } = this.#options;
    // The next start looks at all of them again.
    if (!fresh && this.#closed) return;
    if (!fresh && (await this.#looks(this.#watching.get(c) ?? [])).length === 0) return;
    // One that is gone, or cannot be opened now, is looked at when it is opened again.
    const lane = await conversations.lane(c).catch(() => null);
    const looks = await this.#looks(lane?.watched() ?? []);
    if (looks.length > 0) await lane?.look(looks);
    this.#note(c, lane?.watched() ?? []);
  }

  async #looks(watched: readonly WatchedTicket[]): Promise<readonly TicketLook[]> {
    const looks: TicketLook[] = [];
    for (const one of watched) {
      const look = await this.#lookFor(one);
      if (look !== null) looks.push(look);
    }
    return looks;
  }

  async #lookFor(watched: WatchedTicket): Promise<TicketLook | null> {
    try {
      const board = await this.#options.boards.open(watched.workspace ?? this.#options.fallbackWorkspace);
      return lookAt(watched, await board.get(watched.ticket));
    } catch (thrown) {
      if (!(thrown instanceof BoardError)) throw thrown;
      // A directory or a file that cannot be read now may be there again at the next look.
      return thrown.code === 'unknown_ticket' ? lookAt(watched, null) : null;
    }
  }

  #note(c: ConversationId, tickets: readonly WatchedTicket[]): void {
    if (tickets.length === 0) this.#watching.delete(c);
    else this.#watching.set(c, tickets);
    const text = this.#text();
    if (text === this.#written) return;
    this.#written = text;
    const { disk, log } = this.#options;
    const conversations = Object.fromEntries(this.#watching);
    this.#saving = this.#saving
      .then(() => writeJson(disk, this.#path, { format: 1, conversations }))
      .catch((error: unknown) => log.write('watch_failed', errorFacts(error)));
  }

  #text(): string {
    return JSON.stringify([...this.#watching]);
  }
}
