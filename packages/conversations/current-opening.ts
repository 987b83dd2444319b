/**
 * The opening that a lane works with now, and what takes its place.
 *
 * - When a write fails everybody who is attached is told and let go, and the conversation is opened anew, again and again
 *   by the clock until it can be written to; whoever wants to write asks for an attempt at once.
 * - Whoever asks while another opening is on its way waits for it.
 * - After `close` nothing is opened any more, and everybody is told `closed`, or `unknown_conversation` when it left.
 */
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { LaneError, known } from './lane-error.ts';
import { Mending } from './mending.ts';
import { type LaneOptions, Opening } from './opening.ts';
import type { RegistryError } from './registry-error.ts';
import { unknown } from './rows.ts';
import { rowOf, stopped } from './view.ts';

/**
 * Holds one opening at a time. `ready` gives it for reading; `writable` gives one that takes commits, or rejects
 * with `LaneError`.
 */
export class CurrentOpening {
  readonly #options: LaneOptions;
  readonly #id: ConversationId;
  readonly #mending: Mending;
  #opening: Opening;
  /** What ended the last opening that could be written to, until there is another. */
  #ended: LaneError | null = null;
  #closed = false;
  /** Whether the conversation has left, as soon as that is known. */
  #leaves: Promise<boolean> | null = null;
  #left = false;

  private constructor(options: LaneOptions, id: ConversationId, opening: Opening) {
    this.#options = options;
    this.#id = id;
    this.#opening = opening;
    this.#mending = new Mending(options.clock, () => this.#reopen());
  }

  /** Opens a conversation; `null` when there is none. Rejects as `Opening.start` does. */
  static async first(options: LaneOptions, id: ConversationId): Promise<CurrentOpening | null> {
    const parts: { current: CurrentOpening | null } = { current: null };
    const fell = (by: Opening, failure: LaneError): void => {
      if (parts.current !== null) parts.current.#fell(by, failure);
    };
    const opening = await Opening.start(options, id, fell);
    if (opening === null) return null;
    const current = new CurrentOpening(options, id, opening);
    parts.current = current;
    if (opening.failure !== null) {
      options.onTrouble?.(id, opening.failure);
      current.#mending.later();
    }
    return current;
  }

  /** The opening that there is, whatever has become of it. */
  get opening(): Opening {
    return this.#opening;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The state after the last durable commit, and why nothing can be saved if that is so. */
  view(): ConversationView {
    const { writer, failure } = this.#opening;
    return failure === null || this.#closed ? writer.view() : stopped(writer.view(), failure);
  }

  /** The opening for whoever reads. Rejects as `check` throws. */
  async ready(): Promise<Opening> {
    await this.#mending.still();
    if (this.#closed) await this.decided();
    this.check();
    return this.#opening;
  }

  /** The opening for whoever writes: what was planned for later is tried now. Rejects with `LaneError`, or as `check`. */
  async writable(): Promise<Opening> {
    if ((await this.ready()).failure !== null) await known(this.#mending.now());
    if (this.#closed) await this.decided();
    this.check();
    const opening = this.#opening;
    if (opening.failure) throw opening.failure;
    return opening;
  }

  /** Does something after which the conversation must be opened anew, whether or not it went well. */
  replaced<T>(work: () => Promise<T>): Promise<T> {
    return this.#mending.during(async () => {
      try {
        return await known(work());
      } finally {
        await known(this.#succeed(null));
        if (this.#opening.failure) this.#mending.later();
      }
    });
  }

  /** Stops what runs, without an outcome. `leaves`: whether the conversation goes; `null` when the service does. */
  async close(leaves: Promise<boolean> | null): Promise<void> {
    this.#closed = true;
    this.#leaves = leaves;
    await this.#mending.stop();
    await this.#opening.close();
  }

  /** Resolves when it is known whether a conversation that was closed has left: a full disk may have kept it. */
  async decided(): Promise<void> {
    if (this.#leaves !== null) this.#left = await this.#leaves;
  }

  /** After `close`, throws `closed`, or `unknown_conversation` when the conversation left. */
  check(): void {
    if (this.#closed) throw this.#gone();
  }

  /** What is open can no longer be written: everybody is told, and it is opened anew. */
  #fell(opening: Opening, failure: LaneError): void {
    if (this.#closed || opening !== this.#opening || failure.code === 'closed') return;
    this.#ended = failure;
    this.#options.onTrouble?.(this.#id, failure);
    const view = this.view();
    this.#options.onRow?.(rowOf(view, opening.writer.durable.at));
    const problem = { code: failure.code, detail: failure.message };
    this.#options.bus.publish(this.#id, { frame: 'cut', code: 'not_saved', resumeFrom: view.head, problem });
    this.#mending.now().catch(() => undefined);
  }

  /** Resolves to whether it can be written again. */
  async #reopen(): Promise<boolean> {
    if (this.#opening.failure === null) return true;
    await this.#succeed(this.#ended);
    if (this.#opening.failure) return false;
    this.#ended = null;
    this.#options.onRow?.(rowOf(this.view(), this.#opening.writer.durable.at));
    return true;
  }

  /** Puts another opening in the place of the one there is; `failure` is what ended the work that went on in it. */
  async #succeed(failure: LaneError | null): Promise<void> {
    const before = this.#opening;
    await before.close();
    const fell = (by: Opening, why: LaneError): void => this.#fell(by, why);
    const { head: sent } = before.writer.durable;
    const opening = await Opening.start(this.#options, this.#id, fell, { sent, failure });
    if (opening === null) throw this.#gone();
    this.#opening = opening;
  }

  #gone(): LaneError | RegistryError {
    if (this.#left) return unknown(this.#id);
    return new LaneError(
      'closed',
      `The conversation ${this.#id} is closed, or Hearth is stopping; list the conversations and try again.`,
    );
  }
}
