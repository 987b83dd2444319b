import type { State } from '@hearth/engine/state.ts';
import { parseCursor, type Position } from '@hearth/protocol/cursor.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { LaneError } from './lane-error.ts';
import { check, type Pipeline } from './pipeline.ts';
import type { OpenedConversation, Store } from './ports.ts';

/** The public log is trimmed when it holds more than this many events… */
const LOG_LIMIT = 500;
/** …to this many. */
const LOG_KEPT = 400;
/** Bytes of journal after which a snapshot is taken although something runs. */
const JOURNAL_LIMIT = 1024 * 1024;

/** What may be shown: the state after the last durable commit. */
export interface Durable {
  readonly state: State;
  readonly revision: number;
  readonly head: Position;
  readonly at: string;
}

/** What the upkeep of a conversation works with, and what it asks of its writer. */
export interface UpkeepParts {
  readonly store: Store;
  readonly c: ConversationId;
  readonly fence: number;
  readonly pipeline: Pipeline;
  readonly durable: () => Durable;
  /** Whether nothing runs after everything proposed. */
  readonly rests: () => boolean;
  readonly view: () => ConversationView;
}

/** Keeps what lies on the disk of a conversation small while it is written: the public log, and the journal. */
export class Upkeep {
  readonly #parts: UpkeepParts;
  readonly #epoch: number;
  #retained: Position;
  #generation: number;
  /** The last commit that the snapshot holds. */
  #kept: number;
  #trimming: Promise<void> | null = null;

  constructor(parts: UpkeepParts, { record, retained, snapshot }: OpenedConversation) {
    this.#parts = parts;
    this.#epoch = record.epoch;
    this.#retained = positionIn(retained, record.epoch);
    this.#generation = snapshot.generation;
    this.#kept = snapshot.commit;
  }

  /** Where the public log begins. */
  get retained(): Position {
    return this.#retained;
  }

  /** Resolves when the log is not being trimmed. */
  async still(): Promise<void> {
    await this.#trimming;
  }

  /** What a durable commit may make due. */
  tidy(): void {
    if (this.#parts.durable().head.seq - this.#retained.seq > LOG_LIMIT) this.#trimming ??= this.#trim();
    if (this.#parts.pipeline.held || this.#parts.durable().revision === this.#kept) return;
    const rests = this.#parts.pipeline.empty && this.#parts.rests();
    if (rests || this.#parts.store.grown(this.#parts.c) > JOURNAL_LIMIT) {
      this.#parts.pipeline.hold(() => this.#snapshot());
    }
  }

  async #trim(): Promise<void> {
    // A trim that fails is tried again after the next commit; the log is only a projection.
    const boundary = await this.#parts.store.trim(this.#parts.c, LOG_KEPT).catch(() => null);
    if (boundary !== null) this.#retained = positionIn(boundary, this.#epoch);
    this.#trimming = null;
  }

  async #snapshot(): Promise<void> {
    const { store, c, fence } = this.#parts;
    const { state, revision, head, at } = this.#parts.durable();
    const generation = this.#generation + 1;
    const snapshot = {
      ...state,
      format: 1,
      epoch: this.#epoch,
      generation,
      commit: revision,
      seq: head.seq,
      view: this.#parts.view(),
      updatedAt: at,
    } as const;
    try {
      check(await store.snapshot(c, fence, snapshot));
      this.#generation = generation;
      this.#kept = revision;
    } catch {
      await this.#withoutSnapshot();
    }
  }

  /**
   * A snapshot that fails takes nothing back: everything proposed was durable before it, so the writer goes on over the
   * same commits, opened anew.
   */
  async #withoutSnapshot(): Promise<void> {
    await this.#trimming;
    const opened = await this.#parts.store.open(this.#parts.c);
    const last = opened?.commits.at(-1)?.n ?? opened?.snapshot.commit;
    if (opened === null || last !== this.#parts.durable().revision) {
      throw new LaneError(
        'failed',
        'The conversation on the disk is not the one that was written; open it again.',
      );
    }
    this.#generation = opened.snapshot.generation;
    this.#kept = opened.snapshot.commit;
    this.#retained = positionIn(opened.retained, this.#epoch);
  }
}

/** A cursor as a position; the beginning of the epoch where it is none. */
export function positionIn(cursor: string, epoch: number): Position {
  return parseCursor(cursor) ?? { epoch, seq: 0, check: '000000' };
}
