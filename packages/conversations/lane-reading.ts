import type { ArtifactVersion } from '@hearth/protocol/artifact.ts';
import type { AuditLine } from '@hearth/protocol/audit.ts';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { ConversationId, Digest, RunId } from '@hearth/protocol/ids.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { Attachment } from './attachment.ts';
import { CurrentOpening } from './current-opening.ts';
import type { LaneOptions } from './opening.ts';
import type { RunTrace } from './ports.ts';

/**
 * What is read of one conversation, and how whoever is attached follows it; see `Lane`. Everything waits while the
 * conversation is being opened anew, and rejects with `closed` or `unknown_conversation` once it is closed.
 */
export class LaneReading {
  readonly id: ConversationId;
  protected readonly options: LaneOptions;
  protected readonly current: CurrentOpening;

  protected constructor(options: LaneOptions, id: ConversationId, current: CurrentOpening) {
    this.id = id;
    this.options = options;
    this.current = current;
  }

  /** Waits while the conversation is being opened anew. Rejects with `LaneError` when it is closed. */
  async ready(): Promise<void> {
    await this.current.ready();
  }

  /** The state after the last durable commit, and why nothing can be saved if that is so. */
  view(): ConversationView {
    return this.current.view();
  }

  /** Up to `limit` events after the cursor; from the boundary without one. */
  page(after: Cursor | null, limit: number): Promise<EventPage | Recovery> {
    return this.guarded(async () => {
      await this.current.ready();
      const page = await this.options.store.events(this.id, after, limit);
      if (!('code' in page)) return page;
      const view = this.view();
      return { ...page, stateCursor: view.head, view };
    });
  }

  /** The last `turns` turns of the transcript below `before`; from its end when that is `null`. */
  history(before: number | null, turns: number): Promise<HistoryPage> {
    return this.guarded(async () => {
      await this.current.ready();
      return this.options.store.history(this.id, before, turns);
    });
  }

  /**
   * Sends the events after the cursor, then what happens: each event once and in order, drafts between them. A cursor
   * that cannot be continued is answered with one `recover` frame first; a `cut` frame is the last. The backlog waits
   * for `ready`. The result ends it.
   */
  attach(
    after: Cursor | null,
    on: (frame: Frame) => void,
    ready?: () => Promise<void> | null,
  ): Promise<() => void> {
    const source = {
      page: (from: Cursor | null, limit: number) => this.page(from, limit),
      subscribe: (listener: (frame: Frame) => void) => this.options.bus.subscribe(this.id, listener),
    };
    return Attachment.begin(source, after, { on, ...(ready === undefined ? {} : { ready }) });
  }

  /** The runs since the last reset of which anything is kept, oldest first. */
  runs(): Promise<readonly RunId[]> {
    return this.guarded(async () => {
      await this.current.ready();
      return this.options.store.runs(this.id);
    });
  }

  /** What is kept of a run's commits; `null` when nothing is. */
  trace(run: RunId): Promise<RunTrace | null> {
    return this.guarded(async () => {
      await this.current.ready();
      return this.options.store.trace(this.id, run);
    });
  }

  /** The latest commands since the last reset that changed nothing, oldest first. */
  audited(): Promise<readonly AuditLine[]> {
    return this.guarded(async () => {
      await this.current.ready();
      return this.options.store.audited(this.id);
    });
  }

  /** A version of an artifact, whole; `null` when there is none, or its text is not what its digest says. */
  artifact(name: string, version: number): Promise<ArtifactVersion | null> {
    return this.guarded(async () => {
      await this.current.ready();
      const found = await this.options.store.artifact(this.id, name, version);
      return found !== null && sha256(found.body) === found.ref.digest ? found : null;
    });
  }

  /** A long text or an attachment; `null` when there is none of that digest. */
  blob(digest: Digest): Promise<Uint8Array | null> {
    return this.guarded(async () => {
      await this.current.ready();
      return this.options.blobs.get(this.id, digest);
    });
  }

  /** What fails because the lane was closed under it fails for that reason, whatever it met. */
  protected async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      await this.current.decided();
      this.current.check();
      throw thrown;
    }
  }
}
