import type { Commit } from '@hearth/engine/commit.ts';
import { HomeStore } from '@hearth/conversations/home-store.ts';
import type {
  CommitResult,
  ConversationRecord,
  OpenedConversation,
  StagedEpoch,
  StoredSnapshot,
  Trashed,
} from '@hearth/conversations/ports.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';

/** Counts what conversations tell, and says when the counts are kept. */
export interface Counter {
  /** A conversation was opened; these are its commits since its snapshot. */
  opened(c: ConversationId, commits: readonly Commit[]): void;
  /** Resolves when everything counted so far is kept. Never rejects. */
  kept(): Promise<void>;
}

/** A home whose commits stay until what they tell is counted, so that a crash loses no count. */
export class CountingStore extends HomeStore {
  readonly #counter: Counter;

  constructor(options: ConstructorParameters<typeof HomeStore>[0], counter: Counter) {
    super(options);
    this.#counter = counter;
  }

  override async open(c: ConversationId): Promise<OpenedConversation | null> {
    const opened = await super.open(c);
    if (opened !== null) this.#counter.opened(c, opened.commits);
    return opened;
  }

  override async snapshot(c: ConversationId, fence: number, snapshot: StoredSnapshot): Promise<CommitResult> {
    await this.#counter.kept();
    return super.snapshot(c, fence, snapshot);
  }

  override async reset(record: ConversationRecord, epoch: StagedEpoch): Promise<void> {
    await this.#counter.kept();
    return super.reset(record, epoch);
  }

  override async trash(c: ConversationId, note: Trashed): Promise<void> {
    await this.#counter.kept();
    return super.trash(c, note);
  }
}
