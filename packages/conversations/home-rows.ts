import { join } from 'node:path';
import { ConversationId } from '@hearth/protocol/ids.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { DiskError } from '@hearth/store/disk.ts';
import { conversationPath, isStaged } from './conversation-directory.ts';
import type { HomeDirectory } from './conversation-directory.ts';
import type { ListFilter, Quarantined, RowCheck, StoredRow } from './ports.ts';
import type { Quarantine } from './quarantine.ts';
import { Behind } from './behind.ts';
import { RowList } from './row-list.ts';
import { isRow, readRows } from './row-reader.ts';
import type { Unreadable } from './row-reader.ts';
import { matches } from './view.ts';

/** What mending and setting aside come to; the store does them, since it must let go of the files first. */
export interface Caretaker {
  mend(c: ConversationId): Promise<boolean>;
  setAside(c: ConversationId, why: string): Promise<void>;
}

/**
 * The rows of a home: what its list needs to know of each conversation. What cannot be read is mended, set aside, or
 * reported where it lies; it never keeps the others from being listed.
 */
export class HomeRows {
  readonly #disk: Disk;
  readonly #home: HomeDirectory;
  readonly #quarantine: Quarantine;
  readonly #caretaker: Caretaker;
  readonly #behind: Behind;
  readonly #list: RowList;
  /** What cannot be read and is still in its place. */
  readonly #stuck = new Map<string, Quarantined>();

  constructor(disk: Disk, home: HomeDirectory, quarantine: Quarantine, caretaker: Caretaker) {
    this.#disk = disk;
    this.#home = home;
    this.#quarantine = quarantine;
    this.#caretaker = caretaker;
    this.#behind = new Behind(disk, home);
    this.#list = new RowList(disk, home, this.#behind);
  }

  /** See `Store.list`. */
  async list(filter: ListFilter, onLong: () => void = () => undefined): Promise<readonly StoredRow[]> {
    const names = await this.#disk.list(this.#home.conversations);
    const ids: ConversationId[] = [];
    for (const name of names) {
      const id = ConversationId.safeParse(name).data;
      if (id !== undefined) ids.push(id);
      else if (!isStaged(name)) await this.#foreign(name);
    }
    const rows: StoredRow[] = [];
    for (const { id, row } of await this.#list.rows(ids, onLong)) {
      const found = isRow(row) ? row : await this.#unreadable(id, row);
      if (found !== null) rows.push(found);
    }
    return rows.filter(row => matches(row, filter));
  }

  /** See `Store.check`. */
  check(look: RowCheck): Promise<void> {
    return this.#list.check(
      async ({ id, row }) => look.told(id, isRow(row) ? row : await this.#unreadable(id, row)),
      () => look.goOn(),
    );
  }

  /** To be awaited before a conversation is changed: nobody looks at its files meanwhile, nor trusts what was known of it. */
  changing(c: ConversationId): Promise<void> {
    return this.#list.leave(c);
  }

  /** To be awaited before one is changed by whoever looks at it. */
  mending(c: ConversationId): Promise<void> {
    return this.#behind.note(c);
  }

  async row(c: ConversationId): Promise<StoredRow | null> {
    if ((await this.#disk.stat(conversationPath(this.#home, c))) === null) {
      this.#stuck.delete(c);
      return null;
    }
    const [read] = await readRows(this.#disk, this.#home, [c]);
    if (read === undefined) return null;
    const row = isRow(read.row) ? read.row : await this.#unreadable(c, read.row);
    if (row !== null) this.#stuck.delete(c);
    return row;
  }

  async quarantined(): Promise<readonly Quarantined[]> {
    return [...(await this.#quarantine.list()), ...this.#stuck.values()];
  }

  /** A conversation is no longer in its place. */
  left(c: ConversationId): void {
    this.#stuck.delete(c);
  }

  /**
   * What is damaged is mended, and set aside where that cannot be; what may be readable another time stays where it is.
   * Resolves to the row of one that was mended; every other one is reported.
   */
  async #unreadable(c: ConversationId, { why, damaged }: Unreadable): Promise<StoredRow | null> {
    try {
      if (damaged && (await this.#caretaker.mend(c))) {
        const [read] = await readRows(this.#disk, this.#home, [c]);
        if (read !== undefined && isRow(read.row)) return read.row;
      }
      if (damaged) {
        await this.#caretaker.setAside(c, why);
        return null;
      }
    } catch (thrown) {
      // On a disk that takes no writes it stays where it is.
      if (!(thrown instanceof DiskError)) throw thrown;
    }
    this.#stuck.set(c, { name: c, at: '', why, inPlace: true });
    return null;
  }

  /** Whatever lies among the conversations and is none belongs to nobody. */
  async #foreign(name: string): Promise<void> {
    const why = `"${name}" lay among the conversations and is none.`;
    const path = join(this.#home.conversations, name);
    const set = await this.#quarantine.move(path, why).then(accepted, refused);
    if (!set) this.#stuck.set(name, { name, at: '', why, inPlace: true });
  }
}

const accepted = (): boolean => true;
const refused = (): boolean => false;
