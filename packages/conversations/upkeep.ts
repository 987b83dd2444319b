import type { State } from '@hearth/engine/state.ts';
import { formatCursor, parseCursor, type Position } from '@hearth/protocol/cursor.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { LaneError } from './lane-error.ts';
import { check, type Pipeline } from './pipeline.ts';
import type { OpenedConversation, Store } from './ports.ts';

/** The public log is trimmed when it holds more than this many events… */
const LOG_LIMIT = 500;
/** …to this many. */
const LOG_KEPT = 400;
/** Bytes of journal after which a snapshot is taken although something runs. */
const JOURNAL_LIMIT = 1024 * 1024;
/** Bytes of journal after which one that rests takes its snapshot at once… */
const REST_LIMIT = 128 * 1024;
/** …and milliseconds after its last commit when it does whatever the bytes, so that turns close together share one. */
const REST_MS = 1000;

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
  readonly clock: Clock;
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
  /** Ends the wait for a moment of rest; `null` while there is none. */
  #cancel: (() => void) | null = null;

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

  /** Waits for nothing any more; resolves when the log is not being trimmed. */
  async stop(): Promise<void> {
    this.#cancel?.();
    await this.#trimming;
  }

  /** What a durable commit may make due. */
  tidy(): void {
    const { durable, store, c, clock, pipeline } = this.#parts;
    if (durable().head.seq - this.#retained.seq > LOG_LIMIT) this.#trimming ??= this.#trim();
    if (!this.#behind) return;
    const rests = this.#rests;
    // Whoever writes on would wait for a snapshot that was due in the middle of it.
    this.#cancel?.();
    this.#cancel = null;
    if (store.grown(c) > (rests ? REST_LIMIT : JOURNAL_LIMIT)) pipeline.hold(() => this.#snapshot());
    else if (rests) this.#cancel = clock.after(REST_MS, () => this.rest());
  }

  /** Takes the snapshot that waits for a moment of rest, if nothing runs. */
  rest(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#behind && this.#rests) this.#parts.pipeline.hold(() => this.#snapshot());
  }

  /** Whether a snapshot would hold more than the last one, and none is under way. */
  get #behind(): boolean {
    const { pipeline, durable } = this.#parts;
    return !pipeline.held && pipeline.failure === null && durable().revision !== this.#kept;
  }

  get #rests(): boolean {
    return this.#parts.pipeline.empty && this.#parts.rests();
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
    const { revision, head } = this.#parts.durable();
    // An opening that could not read everything shows an older head, and its numbers must not be given out again.
    if (opened === null || last !== revision || opened.head !== formatCursor(head)) {
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
