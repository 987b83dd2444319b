/**
 * One opening of a conversation for writing, from reading its truth to the first write that fails.
 *
 * - What is proposed changes the state at once, so that the next proposal is judged against it; what is shown, sent and
 *   acknowledged is the state after the last durable commit, and never more.
 * - Commits are durable, published and acknowledged in the order in which they were proposed.
 * - After a failed write every waiting and later proposal rejects with the same `LaneError`. Nothing of the writer can be
 *   trusted any more, and the conversation is opened anew.
 */
import type { AttachedFile } from '@hearth/engine/attached-files.ts';
import type { Recap } from '@hearth/engine/backend.ts';
import type { Plan } from '@hearth/engine/bot.ts';
import type { Drive } from '@hearth/engine/drive.ts';
import type { EntryBody } from '@hearth/engine/entry.ts';
import { apply } from '@hearth/engine/machine.ts';
import { quiescent } from '@hearth/engine/quiescent.ts';
import type { State } from '@hearth/engine/state.ts';
import { watchedIn } from '@hearth/engine/watched.ts';
import { formatCursor, type Position } from '@hearth/protocol/cursor.ts';
import type { ArtifactVersion } from '@hearth/protocol/artifact.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { CommandId, ConversationId } from '@hearth/protocol/ids.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import { lateNote } from './audit-note.ts';
import { type DraftFrame, Drafts } from './drafts.ts';
import { LaneError } from './lane-error.ts';
import { Pipeline } from './pipeline.ts';
import { PlanShelf, planOf } from './plan-shelf.ts';
import type { Blobs, ConversationRecord, OpenedConversation, Store } from './ports.ts';
import { RECAP_TURNS, Recaps } from './recap.ts';
import { type Proposal, type Stamped, stamped } from './stamp.ts';
import { type Durable, positionIn, Upkeep } from './upkeep.ts';
import { viewOf } from './view.ts';

/** Where commits go, and who is told of them. */
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

/** The one that may write a conversation while its opening lasts; what it shows is what is durable. */
export class Writer implements Drive {
  readonly shelf: PlanShelf;
  readonly #c: ConversationId;
  readonly #options: WriterOptions;
  readonly #drafts: Drafts;
  readonly #pipeline: Pipeline;
  readonly #recaps: Recaps;
  #record: ConversationRecord;
  #state: State;
  #n: number;
  #head: Position;
  #durable: Durable;
  readonly #upkeep: Upkeep;

  private constructor(options: WriterOptions, opened: OpenedConversation, shelf: PlanShelf, state: State) {
    const { record, snapshot, commits } = opened;
    this.#options = options;
    this.#c = record.id;
    this.#record = record;
    this.shelf = shelf;
    this.#state = state;
    this.#n = commits.at(-1)?.n ?? snapshot.commit;
    this.#head = positionIn(opened.head, record.epoch);
    const at = commits.findLast(commit => commit.events.length > 0)?.at ?? snapshot.updatedAt;
    this.#durable = { state, revision: this.#n, head: this.#head, at };
    this.#drafts = new Drafts(options.clock, frame => options.onDraft(frame));
    const { store, blobs, clock, fence } = options;
    this.#recaps = new Recaps(async () => (await store.history(this.#c, null, RECAP_TURNS)).items);
    this.#pipeline = new Pipeline({
      store,
      blobs,
      c: this.#c,
      fence,
      onDurable: made => this.#publish(made),
      onAdvance: () => this.#upkeep.tidy(),
      onFailure: failure => {
        this.#drafts.end();
        options.onFailure(failure);
      },
    });
    this.#upkeep = new Upkeep(
      {
        store,
        clock,
        c: this.#c,
        fence,
        pipeline: this.#pipeline,
        durable: () => this.#durable,
        rests: () => quiescent(this.#state),
        view: () => this.view(),
      },
      opened,
    );
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

  /** The number of the lease under which it writes. */
  get fence(): number {
    return this.#options.fence;
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
    return this.#pipeline.failure;
  }

  broken(): boolean {
    return this.failure !== null;
  }

  /** The plan of the run; only a run asks. */
  get plan(): Plan {
    return this.#planFor(this.#state, null);
  }

  view(): ConversationView {
    const { state, revision, head } = this.#durable;
    const plan = this.shelf.at(planOf(state, null));
    const place = { revision, retained: formatCursor(this.#upkeep.retained), head: formatCursor(head) };
    return viewOf(this.#record, state, plan, place);
  }

  /** Whether a command of that id was accepted before. */
  async knows(id: CommandId): Promise<boolean> {
    return (await this.#options.store.receipt(this.#c, id)) !== null;
  }

  /** Replaces the record, durably. */
  async update(record: ConversationRecord): Promise<void> {
    await this.#options.store.update(record);
    this.#record = record;
  }

  async commit(
    entries: readonly EntryBody[],
    events: readonly EventBody[] = [],
    follow?: Proposal['follow'],
  ): Promise<void> {
    await this.propose({ entries, events, receipt: null, ...(follow === undefined ? {} : { follow }) });
  }

  /** Applies and writes; the state has moved when this returns. Resolves to the receipt when all of it is durable. */
  propose(proposal: Proposal): Promise<Receipt | null> {
    if (this.failure) return Promise.reject(this.failure);
    const { clock, fence } = this.#options;
    const place = { n: this.#n + 1, fence, at: instant(clock), head: this.#head };
    const made = stamped(this.#state, proposal, place, (state, entry) => this.#planFor(state, entry));
    this.#state = made.state;
    this.#head = made.head;
    this.#n = place.n;
    return this.#pipeline.put(made);
  }

  /** Resolves when everything proposed so far is durable; rejects when it never will be. */
  settled(): Promise<void> {
    return this.#pipeline.settled();
  }

  draft(draft: Omit<DraftFrame, 'frame'>): void {
    if (!this.failure) this.#drafts.put(draft);
  }

  recap(): Promise<Recap> {
    return this.#recaps.before(this.#state.machine.turn?.id ?? null);
  }

  async attached(files: readonly AttachedFile[]): Promise<readonly AttachedFile[]> {
    const { blobs } = this.#options;
    const copied: AttachedFile[] = [];
    for (const file of files) {
      const path = await blobs.copy(this.#c, file);
      if (path === null)
        throw new Error(`The attached file "${file.name}" is gone from the conversation: send it again.`);
      copied.push({ ...file, path });
    }
    return copied;
  }

  discarded({ effect, node, output }: Parameters<Drive['discarded']>[0]): void {
    const { clock, store } = this.#options;
    store.audit(this.#c, lateNote(this.plan, { effect, node, output }, instant(clock)));
  }

  artifact(name: string, version: number): Promise<ArtifactVersion | null> {
    return this.#options.store.artifact(this.#c, name, version);
  }

  directory(node: string): Promise<string> {
    return this.#options.store.directory(this.#c, node);
  }

  /** Looks after what an earlier opening left: a journal that no snapshot holds, for one. */
  tidy(): void {
    this.#upkeep.tidy();
  }

  /** Resolves when nothing is being written any more and, if nothing runs, the snapshot holds it all. */
  async still(): Promise<void> {
    await this.#pipeline.still();
    this.#upkeep.rest();
    await this.#pipeline.still();
  }

  /** Waits for what is under way; nothing can be proposed afterwards. */
  async close(): Promise<void> {
    await this.still();
    await this.#upkeep.stop();
    const { title } = this.#record;
    this.#pipeline.fail(new LaneError('closed', `The conversation "${title}" is closing; open it again.`));
  }

  #planFor(state: State, entry: EntryBody | null): Plan {
    const plan = this.shelf.at(planOf(state, entry));
    if (plan) return plan;
    throw new LaneError(
      'failed',
      `The conversation "${this.#record.title}" has no plan to go by; restart Hearth.`,
    );
  }

  #publish({ commit, state, head, frames }: Stamped): void {
    const at = commit.events.length > 0 ? commit.at : this.#durable.at;
    this.#durable = { state, revision: commit.n, head, at };
    this.#recaps.take(commit.words);
    for (const event of commit.events) {
      const spoken = event.type === 'narration' || (event.type === 'message' && event.by.kind === 'bot');
      if (spoken || event.type === 'turn') this.#drafts.end(event.turn);
    }
    this.#options.onCommit(frames, this);
  }
}

/** The state alone. */
function stateIn({ counters, machine, inbox, watched, rules, ledgers }: State): State {
  return { counters, machine, inbox, watched: watchedIn(watched), rules, ledgers };
}
