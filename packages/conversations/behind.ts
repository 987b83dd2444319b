import { ConversationId } from '@hearth/protocol/ids.ts';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { Serial } from '@hearth/store/serial.ts';
import type { HomeDirectory } from './conversation-directory.ts';

/**
 * `behind.txt` of a home: the conversations that may have changed since `index.json` was written, one id on a line. A
 * conversation is noted before the first change that a service makes to it, and no service trusts the index for it
 * afterwards. Nothing of it is synced: what a loss of power takes is found by the look at the files that follows each start.
 */
export class Behind {
  readonly #disk: Disk;
  readonly #home: Pick<HomeDirectory, 'index' | 'behind'>;
  /** Those that this service changed, or is about to. */
  readonly #own = new Set<ConversationId>();
  readonly #serial = new Serial();
  /** What the file holds; `null` while there is no index that could be behind, `undefined` until that is known. */
  #noted: Set<ConversationId> | null | undefined;

  constructor(disk: Disk, home: Pick<HomeDirectory, 'index' | 'behind'>) {
    this.#disk = disk;
    this.#home = home;
  }

  /** All that are noted. Rejects when the file cannot be read. */
  read(): Promise<ReadonlySet<ConversationId>> {
    return this.#serial.run(async () => new Set((await this.#known()) ?? []));
  }

  /** Whether this service has changed it, or is about to. */
  has(c: ConversationId): boolean {
    return this.#own.has(c);
  }

  /** Notes one before it is changed. A disk that takes no note loses the index, and changes nothing else. */
  async note(c: ConversationId): Promise<void> {
    this.#own.add(c);
    if (this.#noted === null || this.#noted?.has(c) === true) return;
    await this.#serial.run(async () => {
      try {
        const noted = await this.#known();
        if (noted === null || noted.has(c)) return;
        const file = await this.#disk.append(this.#home.behind);
        // A line that a crash has torn must not swallow this one.
        try {
          await file.write(new TextEncoder().encode(`\n${c}\n`));
        } finally {
          await file.close();
        }
        noted.add(c);
      } catch (thrown) {
        if (!(thrown instanceof DiskError)) throw thrown;
        await this.#disk.remove(this.#home.index).catch(() => undefined);
      }
    });
  }

  /** Replaces the index by `write`. What is changed while it is written is noted for the one before and for the new one. */
  async replace(write: () => Promise<void>): Promise<void> {
    await this.#serial.run(async () => {
      if ((await this.#known()) === null) await this.#rewrite();
    });
    await write();
    await this.#serial.run(async () => {
      try {
        await this.#rewrite();
      } catch (thrown) {
        // What could not be noted meanwhile took the index before away, and the new one cannot tell of it either.
        await this.#disk.remove(this.#home.index).catch(() => undefined);
        throw thrown;
      }
    });
  }

  /** Does without an index from now on. */
  async drop(): Promise<void> {
    await this.#serial.run(async () => {
      if ((await this.#known()) === null) return;
      await this.#disk.remove(this.#home.index);
      this.#noted = null;
      await this.#disk.remove(this.#home.behind);
    });
  }

  async #known(): Promise<Set<ConversationId> | null> {
    if (this.#noted === undefined) {
      const { index, behind } = this.#home;
      this.#noted = (await this.#disk.stat(index)) === null ? null : idsIn(await this.#disk.read(behind));
    }
    return this.#noted;
  }

  async #rewrite(): Promise<void> {
    // What is noted while this is written is in the file only once it was appended.
    const own = [...this.#own];
    const lines = own.map(c => `${c}\n`).join('');
    await writeAtomic(this.#disk, this.#home.behind, new TextEncoder().encode(lines));
    this.#noted = new Set(own);
  }
}

function idsIn(bytes: Uint8Array | null): Set<ConversationId> {
  const lines = bytes === null ? [] : new TextDecoder().decode(bytes).split('\n');
  return new Set(lines.flatMap(line => ConversationId.safeParse(line).data ?? []));
}
