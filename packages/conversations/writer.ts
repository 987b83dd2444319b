/**
 * One opening of a conversation for writing, from reading its truth to the first write that fails.
 *
 * - What is proposed changes the state at once, so that the next proposal is judged against it; what is shown, sent and
 *   acknowledged is the state after the last durable commit, and never more.
 * - Commits are durable, published and acknowledged in the order in which they were proposed.
 * - After a failed write every waiting and later proposal rejects with the same `LaneError`. Nothing of the writer can be
 *   trusted any more, and the conversation is opened anew.
 */
import type { Recap } from '@hearth/engine/backend.ts';
import type { Plan } from '@hearth/engine/bot.ts';
import type { Drive } from '@hearth/engine/drive.ts';
import type { EntryBody } from '@hearth/engine/entry.ts';
import { apply } from '@hearth/engine/machine.ts';
import { quiescent } from '@hearth/engine/quiescent.ts';
import type { State } from '@hearth/engine/state.ts';
import { formatCursor, parseCursor, type Position } from '@hearth/protocol/cursor.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import { type DraftFrame, Drafts } from './drafts.ts';
import { LaneError, laneErrorFrom } from './lane-error.ts';
import { PlanShelf, planOf } from './plan-shelf.ts';
import type { Blobs, CommitResult, ConversationRecord, OpenedConversation, Store } from './ports.ts';
import { RECAP_TURNS, recapOf } from './recap.ts';
import { type Proposal, type Stamped, stamped } from './stamp.ts';
import { viewOf } from './view.ts';

/** The public log is trimmed when it holds more than this many events… */
export const LOG_LIMIT = 500;
/** …to this many. */
export const LOG_KEPT = 400;
/** Bytes of journal after which a snapshot is taken although something runs. */
export const JOURNAL_LIMIT = 1024 * 1024;

export interface WriterOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly fence: number;
  /** Told of each durable commit, in order. */
  onCommit(frames: readonly Frame[], by: Writer): void;
  onDraft(frame: DraftFrame): void;
  /** Told once, when the writer can no longer be used. */
  onFailure(failure: LaneError): void;
}

interface Pending extends Stamped {
  readonly done: PromiseWithResolvers<Receipt | null>;
  stored: boolean;
  durable: boolean;
}

/** What may be shown: the state after the last durable commit. */
export interface Durable {
  readonly state: State;
  readonly revision: number;
  readonly head: Position;
  readonly at: string;
}

export class Writer implements Drive {
  readonly shelf: PlanShelf;
  /** What opening found wrong. */
  readonly damage: OpenedConversation['damage'];
  readonly #c: ConversationId;
  readonly #options: WriterOptions;
  readonly #drafts: Drafts;
  #record: ConversationRecord;
  #state: State;
  #n: number;
  #head: Position;
  #durable: Durable;
  #retained: Position;
  #generation: number;
  /** The last commit that the snapshot holds. */
  #kept: number;
  /** Proposed and not yet handed to the store, in order. */
  #queue: Pending[] = [];
  /** Handed to the store and not yet published, in order. */
  #flight: Pending[] = [];
  /** A blob or a snapshot is being written, and commits wait. */
  #held = false;
  #trimming = false;
  #drained: PromiseWithResolvers<void> | null = null;
  #idle: PromiseWithResolvers<void> | null = null;
  #failure: LaneError | null = null;

  private constructor(options: WriterOptions, opened: OpenedConversation, shelf: PlanShelf, state: State) {
    const { record, snapshot, commits } = opened;
    this.#options = options;
    this.#c = record.id;
    this.#record = record;
    this.shelf = shelf;
    this.damage = opened.damage;
    this.#state = state;
    this.#n = commits.at(-1)?.n ?? snapshot.commit;
    this.#head = positionIn(opened.head, record.epoch);
    this.#retained = positionIn(opened.retained, record.epoch);
    this.#generation = snapshot.generation;
    this.#kept = snapshot.commit;
    const at = commits.findLast(commit => commit.events.length > 0)?.at ?? snapshot.updatedAt;
    this.#durable = { state, revision: this.#n, head: this.#head, at };
    this.#drafts = new Drafts(options.clock, frame => options.onDraft(frame));
  }

  /** Folds what the store holds into the state. Rejects with `DamagedFile` when a plan that it needs is not there. */
  static async open(options: WriterOptions, opened: OpenedConversation): Promise<Writer> {
    const { snapshot, commits, record } = opened;
    const shelf = new PlanShelf(options.store, record.id);
    let state = stateIn(snapshot);
    if (state.machine.run) await shelf.fetch(state.machine.run.plan);
    for (const entry of commits.flatMap(commit => commit.entries)) {
      const digest = planOf(state, entry);
      if (digest === null) continue;
      state = apply((await shelf.fetch(digest)).plan, state, entry);
    }
    return new Writer(options, opened, shelf, state);
  }

  get record(): ConversationRecord {
    return this.#record;
  }

  /** The state after everything proposed. */
  get state(): State {
    return this.#state;
  }

  /** The number of the last commit proposed. */
  get last(): number {
    return this.#n;
  }

  get durable(): Durable {
    return this.#durable;
  }

  get failure(): LaneError | null {
    return this.#failure;
  }

  broken(): boolean {
    return this.#failure !== null;
  }

  /** The plan of the run; only a run asks. */
  get plan(): Plan {
    return this.#planFor(this.#state, null);
  }

  view(): ConversationView {
    const { state, revision, head } = this.#durable;
    const plan = this.shelf.at(planOf(state, null));
    const place = { revision, retained: formatCursor(this.#retained), head: formatCursor(head) };
    return viewOf(this.#record, state, plan, place);
  }

  /** Replaces the record, durably. */
  async update(record: ConversationRecord): Promise<void> {
    await this.#options.store.update(record);
    this.#record = record;
  }

  async commit(entries: readonly EntryBody[], events: readonly EventBody[] = []): Promise<void> {
    await this.propose({ entries, events, receipt: null });
  }

  /** Applies and writes; the state has moved when this returns. Resolves to the receipt when all of it is durable. */
  propose(proposal: Proposal): Promise<Receipt | null> {
    if (this.#failure) return Promise.reject(this.#failure);
    const { clock, fence } = this.#options;
    const place = { n: this.#n + 1, fence, at: instant(clock), head: this.#head };
    const made = stamped(this.#state, proposal, place, (state, entry) => this.#planFor(state, entry));
    this.#state = made.state;
    this.#head = made.head;
    this.#n = place.n;
    const done = Promise.withResolvers<Receipt | null>();
    this.#queue.push({ ...made, done, stored: made.blobs.length === 0, durable: false });
    this.#pump();
    return done.promise;
  }

  /** Resolves when everything proposed so far is durable; rejects when it never will be. */
  settled(): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    return (this.#queue.at(-1) ?? this.#flight.at(-1))?.done.promise ?? Promise.resolve();
  }

  draft(draft: Omit<DraftFrame, 'frame'>): void {
    if (!this.#failure) this.#drafts.put(draft);
  }

  async recap(): Promise<Recap> {
    const { items } = await this.#options.store.history(this.#c, null, RECAP_TURNS);
    return recapOf(items, this.#state.machine.turn?.id ?? null);
  }

  directory(node: string): Promise<string> {
    return this.#options.store.directory(this.#c, node);
  }

  /** Resolves when nothing is being written any more, snapshots included. */
  async still(): Promise<void> {
    while (!this.#failure && (this.#idle !== null || this.#queue.length + this.#flight.length > 0)) {
      await this.settled().catch(() => undefined);
      await this.#idle?.promise;
    }
  }

  /** Waits for what is under way; nothing can be proposed afterwards. */
  async close(): Promise<void> {
    await this.still();
    this.#fail(
      new LaneError('closed', `The conversation "${this.#record.title}" is closing; open it again.`),
    );
  }

  #planFor(state: State, entry: EntryBody | null): Plan {
    const plan = this.shelf.at(planOf(state, entry));
    if (plan) return plan;
    throw new LaneError(
      'failed',
      `The conversation "${this.#record.title}" has no plan to go by; restart Hearth.`,
    );
  }

  #pump(): void {
    while (!this.#held && !this.#failure) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      if (!next.stored) {
        this.#hold(async () => {
          for (const text of next.blobs)
            await this.#options.blobs.put(this.#c, new TextEncoder().encode(text));
          next.stored = true;
        });
        this.#queue.unshift(next);
        return;
      }
      this.#flight.push(next);
      void this.#hand(next);
    }
  }

  /** Commits wait until `work` is done. */
  #hold(work: () => Promise<void>): void {
    this.#held = true;
    const idle = Promise.withResolvers<void>();
    this.#idle = idle;
    void (async () => {
      try {
        await work();
      } catch (thrown) {
        this.#fail(laneErrorFrom(thrown));
      }
      this.#held = false;
      this.#idle = null;
      idle.resolve();
      this.#pump();
    })();
  }

  async #hand(pending: Pending): Promise<void> {
    const { store, fence } = this.#options;
    try {
      check(await store.commit(this.#c, fence, pending.commit.n - 1, pending.commit));
    } catch (thrown) {
      this.#fail(laneErrorFrom(thrown));
      return;
    }
    pending.durable = true;
    while (this.#flight[0]?.durable) this.#publish(this.#flight.shift());
    if (this.#flight.length === 0) this.#drained?.resolve();
    this.#tidy();
  }

  #publish(pending: Pending | undefined): void {
    if (pending === undefined || this.#failure) return;
    const { commit, state, head, frames, done } = pending;
    const at = commit.events.length > 0 ? commit.at : this.#durable.at;
    this.#durable = { state, revision: commit.n, head, at };
    for (const event of commit.events) {
      const spoken = event.type === 'narration' || (event.type === 'message' && event.by.kind === 'bot');
      if (spoken || event.type === 'turn') this.#drafts.end(event.turn);
    }
    this.#options.onCommit(frames, this);
    done.resolve(commit.receipt ?? null);
  }

  /** What a durable commit may make due. */
  #tidy(): void {
    if (this.#failure) return;
    if (this.#durable.head.seq - this.#retained.seq > LOG_LIMIT) void this.#trim();
    if (this.#held || this.#durable.revision === this.#kept) return;
    const still = this.#queue.length + this.#flight.length === 0 && quiescent(this.#state);
    if (still || this.#options.store.grown(this.#c) > JOURNAL_LIMIT) this.#hold(() => this.#snapshot());
  }

  async #trim(): Promise<void> {
    if (this.#trimming) return;
    this.#trimming = true;
    // A trim that fails is tried again after the next commit; the log is only a projection.
    const boundary = await this.#options.store.trim(this.#c, LOG_KEPT).catch(() => null);
    if (boundary !== null) this.#retained = positionIn(boundary, this.#record.epoch);
    this.#trimming = false;
  }

  async #snapshot(): Promise<void> {
    if (this.#flight.length > 0) {
      this.#drained = Promise.withResolvers();
      await this.#drained.promise;
      this.#drained = null;
    }
    if (this.#failure) return;
    const { store, fence } = this.#options;
    const { state, revision, head, at } = this.#durable;
    const generation = this.#generation + 1;
    const snapshot = {
      ...state,
      format: 1,
      epoch: this.#record.epoch,
      generation,
      commit: revision,
      seq: head.seq,
      view: this.view(),
      updatedAt: at,
    } as const;
    try {
      check(await store.snapshot(this.#c, fence, snapshot));
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
    const opened = await this.#options.store.open(this.#c);
    const last = opened?.commits.at(-1)?.n ?? opened?.snapshot.commit;
    if (opened === null || last !== this.#durable.revision) {
      throw new LaneError(
        'failed',
        'The conversation on the disk is not the one that was written; open it again.',
      );
    }
    this.#generation = opened.snapshot.generation;
    this.#kept = opened.snapshot.commit;
    this.#retained = positionIn(opened.retained, this.#record.epoch);
  }

  #fail(failure: LaneError): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.#drafts.end();
    this.#drained?.resolve();
    for (const { done } of [...this.#flight, ...this.#queue]) {
      // Whoever proposed is told; that nobody may be waiting any more is no further fault.
      done.promise.catch(() => undefined);
      done.reject(failure);
    }
    this.#flight = [];
    this.#queue = [];
    this.#options.onFailure(failure);
  }
}

function check(result: CommitResult): void {
  if (result === 'ok') return;
  throw new LaneError(result, 'The conversation was changed from somewhere else meanwhile; try again.');
}

function positionIn(cursor: string, epoch: number): Position {
  return parseCursor(cursor) ?? { epoch, seq: 0, check: '000000' };
}

/** The state alone. */
function stateIn({ counters, machine, inbox, watched, rules, ledgers }: State): State {
  return { counters, machine, inbox, watched, rules, ledgers };
}
