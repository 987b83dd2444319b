import type { BackendEvent, BackendTurn, Host } from '@hearth/engine/backend.ts';
import type { JsonObject } from '@hearth/protocol/json.ts';
import { TicketState } from '@hearth/protocol/ticket.ts';
import {
  type BoardReading,
  type BoardTicket,
  boardReading,
  type Commit,
  commitReading,
  ticketReading,
} from './board-reading.ts';
import type { Language } from './language.ts';
import type { Memory } from './memory.ts';
import { type Phrases, phrases } from './phrases.ts';

/** Thrown where a turn was told to stop; ends it with `stopped`. */
export class Stopped extends Error {}

/** Thrown where a call waits for a person's leave; the turn parks and is done again with it. */
export class Waits extends Error {}

/** What came back from a tool: its content, or why not in words for the person. */
export type Told<T> = { readonly ok: T } | { readonly why: string };

/**
 * What one turn works with: its memory, its language, and the granted tools. Board and history are read at most once; a
 * change is told to the reading by `changed`. Every call looks first whether the turn was told to stop.
 */
export class Scene {
  readonly turn: BackendTurn;
  readonly memory: Memory;
  language: Language = 'en';
  /** The numbered list that the last reply showed: what a bare number means. */
  numbered: readonly string[] = [];
  /** Whether a tool was called: what a failure must say of itself. */
  began = false;
  readonly #host: Host;
  readonly #stopping: () => boolean;
  #narrated = false;
  #board: Told<BoardReading> | null = null;
  #commits: Told<readonly Commit[]> | null = null;

  constructor(turn: BackendTurn, memory: Memory, host: Host, stopping: () => boolean) {
    this.turn = turn;
    this.memory = memory;
    this.#host = host;
    this.#stopping = stopping;
  }

  get words(): Phrases {
    return phrases[this.language];
  }

  /** Whether the node was given this tool of Hearth's. */
  granted(tool: string): boolean {
    return this.turn.tools.some(grant => grant.name === tool && grant.origin === 'hearth');
  }

  /** Throws `Stopped` when the turn was told to stop. */
  check(): void {
    if (this.#stopping()) throw new Stopped();
  }

  /** Calls a granted tool. */
  async call(name: string, args: JsonObject): Promise<Told<unknown>> {
    if (!this.granted(name)) return { why: this.words.notGranted(name) };
    this.check();
    this.memory.calls += 1;
    this.began = true;
    const result = await this.#host.call({ id: `${this.turn.attempt}.${this.memory.calls}`, name, args });
    this.check();
    if (result.parks === true) throw new Waits();
    return result.error === undefined ? { ok: result.content } : { why: this.words.toolError(result.error) };
  }

  /** The whole board, state by state where one list does not show it all. */
  async *board(): AsyncGenerator<BackendEvent, Told<BoardReading>> {
    if (this.#board !== null) return this.#board;
    if (!this.#narrated) yield { type: 'narration', text: this.words.readingBoard };
    this.#narrated = true;
    this.#board = await this.#readBoard();
    return this.#board;
  }

  async #readBoard(): Promise<Told<BoardReading>> {
    const told = await this.call('list_issues', {});
    if ('why' in told) return told;
    const all = boardReading(told.ok);
    if (all.total <= all.tickets.length) return { ok: all };
    const tickets: BoardTicket[] = [];
    for (const state of TicketState.options) {
      const some = await this.call('list_issues', { state });
      if ('ok' in some) tickets.push(...boardReading(some.ok).tickets);
    }
    return { ok: { ...all, tickets } };
  }

  /** Recent commits, newest first. */
  async *commits(): AsyncGenerator<BackendEvent, Told<readonly Commit[]>> {
    if (this.#commits !== null) return this.#commits;
    if (this.granted('git_log')) yield { type: 'narration', text: this.words.readingHistory };
    const told = await this.call('git_log', { limit: HISTORY });
    this.#commits = 'why' in told ? told : { ok: commitReading(told.ok) };
    return this.#commits;
  }

  /** One ticket as it is now, with body and comments; from the list when the node may not read it whole. */
  async look(id: string): Promise<Told<BoardTicket>> {
    const told = this.granted('get_issue') ? await this.call('get_issue', { id }) : null;
    if (told !== null && 'why' in told) return told;
    const ticket =
      told === null
        ? (await this.#readBoardOnce())?.tickets.find(one => one.id === id)
        : ticketReading(told.ok);
    return ticket === null || ticket === undefined ? { why: this.words.noTicket(id) } : { ok: ticket };
  }

  async #readBoardOnce(): Promise<BoardReading | null> {
    this.#board ??= await this.#readBoard();
    return 'ok' in this.#board ? this.#board.ok : null;
  }

  /** Forgets what was read of the board, because it was changed. */
  changed(): void {
    this.#board = null;
  }
}

/** How many commits a sweep reads. */
const HISTORY = 300;
