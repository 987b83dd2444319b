/**
 * The store of a service, which looks at what retention takes away: nothing that waits, works, is pinned or is the default, as
 * the disk tells it in that moment, in the snapshot and in the journal.
 */
import { HomeStore } from '@hearth/conversations/home-store.ts';
import type { Trashed } from '@hearth/conversations/ports.ts';
import { Writer } from '@hearth/conversations/writer.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import type { SimDisk } from '@hearth/store/sim-disk.ts';
import { Broken } from './history.ts';

type Options = ConstructorParameters<typeof HomeStore>[0];

export class JudgedStore extends HomeStore {
  readonly #own: Options;
  readonly #disk: SimDisk;
  readonly #onBroken: (broken: Broken) => void;

  constructor(options: Options, disk: SimDisk, onBroken: (broken: Broken) => void) {
    super(options);
    this.#own = options;
    this.#disk = disk;
    this.#onBroken = onBroken;
  }

  override async trash(c: ConversationId, note: Trashed): Promise<void> {
    await this.release(c);
    const view = note.by.kind === 'policy' ? await this.#told(c) : null;
    if (view !== null && (view.state !== 'idle' || view.pinned || view.isDefault))
      this.#onBroken(new Broken(8, `${c} was taken away although it is ${view.state}, or kept`));
    return super.trash(c, note);
  }

  /** How it is by all that was written, read from a copy: opening it would mend what the service is to find. */
  async #told(c: ConversationId): Promise<ConversationView | null> {
    const disk = this.#disk.crash({ seed: 1 });
    const store = new HomeStore({ ...this.#own, disk });
    const opened = await store.open(c);
    if (opened === null) return null;
    const nothing = (): void => undefined;
    const told = { store, blobs: store.blobs, clock: this.#own.clock, fence: 0 };
    const writer = await Writer.open(
      { ...told, onCommit: nothing, onDraft: nothing, onFailure: nothing },
      opened,
    );
    return writer.view();
  }
}
