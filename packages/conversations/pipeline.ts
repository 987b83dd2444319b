/**
 * Commits on their way to the store.
 *
 * - They are handed over in the order in which they were put in, without waiting for one another, so that the store can
 *   write several at once; they are reported durable in the same order.
 * - What a commit refers to is kept before it. While it is, and while `hold` does its work, later commits wait.
 * - After the first failure everything that was not reported durable is rejected with it, and nothing more is taken.
 */
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import { LaneError, laneErrorFrom } from './lane-error.ts';
import type { Blobs, CommitResult, Store } from './ports.ts';
import type { Stamped } from './stamp.ts';

/** Where commits go, and who is told of them. */
export interface PipelineOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly c: ConversationId;
  readonly fence: number;
  /** Told of each commit once it is durable, in order, before whoever waits for it. */
  onDurable(made: Stamped): void;
  /** Told when commits became durable and their waiters have been told. */
  onAdvance(): void;
  /** Told once. */
  onFailure(failure: LaneError): void;
}

interface Pending {
  readonly made: Stamped;
  readonly done: PromiseWithResolvers<Receipt | null>;
  /** Its blobs are kept. */
  ready: boolean;
  durable: boolean;
}

const encoder = new TextEncoder();

/** The commits of one opening, in order. `put` resolves when its commit is durable and rejects with `LaneError`. */
export class Pipeline {
  readonly #options: PipelineOptions;
  /** Not yet handed to the store, in order. */
  #queue: Pending[] = [];
  /** Handed over and not yet reported durable, in order. */
  #flight: Pending[] = [];
  #holding: Promise<void> | null = null;
  #drained: PromiseWithResolvers<void> | null = null;
  #failure: LaneError | null = null;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  get failure(): LaneError | null {
    return this.#failure;
  }

  /** Whether something waits for `hold` or a blob. */
  get held(): boolean {
    return this.#holding !== null;
  }

  /** Whether every commit put in is durable. */
  get empty(): boolean {
    return this.#queue.length + this.#flight.length === 0;
  }

  /** Resolves to the commit's receipt when it is durable. */
  put(made: Stamped): Promise<Receipt | null> {
    if (this.#failure) return Promise.reject(this.#failure);
    const done = Promise.withResolvers<Receipt | null>();
    this.#queue.push({ made, done, ready: made.blobs.length + made.versions.length === 0, durable: false });
    this.#pump();
    return done.promise;
  }

  /** Does `work` when all commits handed over are durable; later ones wait until it is done. Its failure is the pipeline's. */
  hold(work: () => Promise<void>): void {
    this.#hold(async () => {
      if (this.#flight.length > 0) {
        this.#drained = Promise.withResolvers();
        await this.#drained.promise;
        this.#drained = null;
      }
      if (!this.#failure) await work();
    });
  }

  /** Resolves when everything put in so far is durable; rejects when it never will be. */
  async settled(): Promise<void> {
    if (this.#failure) throw this.#failure;
    await (this.#queue.at(-1) ?? this.#flight.at(-1))?.done.promise;
  }

  /** Resolves when nothing is being written any more. */
  async still(): Promise<void> {
    while (!this.#failure && (this.held || !this.empty)) {
      await this.settled().catch(() => undefined);
      await this.#holding;
    }
  }

  fail(failure: LaneError): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.#drained?.resolve();
    for (const { done } of [...this.#flight, ...this.#queue]) {
      // Whoever put it in is told; that nobody may be waiting any more is no further fault.
      done.promise.catch(() => undefined);
      done.reject(failure);
    }
    this.#flight = [];
    this.#queue = [];
    this.#options.onFailure(failure);
  }

  #pump(): void {
    while (!this.held && !this.#failure) {
      const [next] = this.#queue;
      if (next === undefined) return;
      if (next.ready) {
        this.#queue.shift();
        this.#flight.push(next);
        void this.#hand(next);
      } else {
        this.#hold(() => this.#keepBlobs(next));
      }
    }
  }

  async #keepBlobs(pending: Pending): Promise<void> {
    const { blobs, c, store } = this.#options;
    for (const text of pending.made.blobs) await blobs.put(c, encoder.encode(text));
    for (const version of pending.made.versions) await store.keepArtifact(c, version);
    pending.ready = true;
  }

  #hold(work: () => Promise<void>): void {
    this.#holding = (async () => {
      try {
        await work();
      } catch (thrown) {
        this.fail(laneErrorFrom(thrown));
      }
      this.#holding = null;
      this.#pump();
    })();
  }

  async #hand(pending: Pending): Promise<void> {
    const options = this.#options;
    const { store, c, fence } = options;
    const { commit } = pending.made;
    try {
      check(await store.commit(c, fence, commit.n - 1, commit));
    } catch (thrown) {
      this.fail(laneErrorFrom(thrown));
      return;
    }
    pending.durable = true;
    for (let next = this.#flight[0]; next?.durable; next = this.#flight[0]) {
      this.#flight.shift();
      options.onDurable(next.made);
      next.done.resolve(next.made.commit.receipt ?? null);
    }
    if (this.#flight.length === 0) this.#drained?.resolve();
    if (!this.#failure) options.onAdvance();
  }
}

/** Anything but `ok` is a failure: somebody else holds the conversation. */
export function check(result: CommitResult): void {
  if (result === 'ok') return;
  throw new LaneError(result, 'The conversation was changed from somewhere else meanwhile; try again.');
}
