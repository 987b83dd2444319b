import { HomeStore } from '@hearth/conversations/home-store.ts';
import type { CommitResult } from '@hearth/conversations/ports.ts';
import type { Commit } from '@hearth/engine/commit.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { SimDisk } from '@hearth/store/sim-disk.ts';

/** A store whose process dies at a commit of its: before it is written, or after and before anybody is told. */
export class MortalStore extends HomeStore {
  commits = 0;
  readonly died = Promise.withResolvers<'died'>();
  readonly #disk: SimDisk;
  readonly #death: Death | null;

  constructor(options: ConstructorParameters<typeof HomeStore>[0], disk: SimDisk, death: Death | null) {
    super(options);
    this.#disk = disk;
    this.#death = death;
  }

  override async commit(
    c: ConversationId,
    fence: number,
    after: number,
    commit: Commit,
  ): Promise<CommitResult> {
    this.commits += 1;
    const dies = this.#death !== null && this.commits === this.#death.commit;
    if (dies && this.#death.side === 'before') this.#die();
    const result = await super.commit(c, fence, after, commit);
    if (dies) {
      this.#die();
      await new Promise(() => undefined);
    }
    return result;
  }

  #die(): void {
    this.#disk.crashBefore(this.#disk.calls + 1);
    this.died.resolve('died');
  }
}

/** At which commit, counted from 1, and on which side of it. */
export interface Death {
  readonly commit: number;
  readonly side: 'before' | 'after';
}
