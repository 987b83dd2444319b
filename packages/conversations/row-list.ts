/**
 * The rows of all conversations of a home. Those of the index are taken as they are and looked at later; the others are
 * read.
 *
 * - What a service has changed since the index was written is read.
 * - What anybody else has changed is found by the look at the files, which comes once and in small parts.
 * - A conversation is never looked at while it is open, nor opened while it is looked at.
 */
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Behind } from './behind.ts';
import {
  conversationPath,
  type HomeDirectory,
  journalPath,
  recordPath,
  stateOfEpoch,
} from './conversation-directory.ts';
import type { StoredRow } from './ports.ts';
import { type IndexedRow, readIndex, type RowIndex, type RowSource, writeIndex } from './row-index.ts';
import { isRow, readRows, type RowRead } from './row-reader.ts';

/** So many conversations are read as fast as an index is written, so fewer are not worth one. */
const WORTH = 64;
/** So many are read in about a tenth of a second, and so many are noted that are gone. */
const MANY = 512;
/** How many files a row is made from. */
const FILES = 3;
/** Conversations that are looked at in one go: nobody waits for more than that. */
const LOOKS = 32;

/** A row that is shown as the index has it, and its place there. */
interface Doubted {
  readonly row: StoredRow;
  readonly at: number;
}

/** The rows of one home. */
export class RowList {
  readonly #disk: Disk;
  readonly #home: HomeDirectory;
  readonly #behind: Behind;
  #index: RowIndex | null = null;
  #doubted: readonly Doubted[] = [];
  #read: readonly RowRead[] = [];
  /** How many are noted that are gone. */
  #gone = 0;
  #few = false;
  /** What is being looked at. */
  #looking: { readonly ids: ReadonlySet<ConversationId>; readonly done: Promise<unknown> } | null = null;

  constructor(disk: Disk, home: HomeDirectory, behind: Behind) {
    this.#disk = disk;
    this.#home = home;
    this.#behind = behind;
  }

  /** The rows in the order of `ids`; `onLong` is called before a read of very many. */
  async rows(
    ids: readonly ConversationId[],
    onLong: () => void,
  ): Promise<readonly Pick<RowRead, 'id' | 'row'>[]> {
    [this.#index, this.#doubted, this.#gone] = [null, [], 0];
    this.#few = ids.length <= WORTH;
    if (this.#few) return (this.#read = await readRows(this.#disk, this.#home, ids));
    const known = new Map<ConversationId, StoredRow>();
    // Where nobody can say what has changed, everything may have.
    const behind = await this.#behind.read().catch(() => null);
    if (behind !== null) {
      this.#index = await readIndex(this.#disk, this.#home.index);
      const here = new Set(ids);
      this.#gone = [...behind].filter(id => !here.has(id)).length;
      this.#doubted = this.#index.rows.flatMap((row, at) =>
        here.has(row.id) && !behind.has(row.id) ? [{ row, at }] : [],
      );
      for (const { row } of this.#doubted) known.set(row.id, row);
    }
    const unknown = ids.filter(id => !known.has(id));
    if (unknown.length > MANY) onLong();
    this.#read = await readRows(this.#disk, this.#home, unknown);
    const read = new Map(this.#read.map(one => [one.id, one.row]));
    return ids.flatMap(id => {
      const row = known.get(id) ?? read.get(id);
      return row === undefined ? [] : [{ id, row }];
    });
  }

  /**
   * Looks at the files of the rows that were taken from the index, and has each row that is another by now `told`. Ends early
   * when `goOn` says so, which is asked before each part.
   */
  async check(told: (read: RowRead) => Promise<void>, goOn: () => Promise<boolean>): Promise<void> {
    const [doubted, read] = [this.#doubted, [...this.#read]];
    [this.#doubted, this.#read] = [[], []];
    // An index that nobody reads would have more noted for ever.
    if (this.#few) return this.#behind.drop().catch(() => undefined);
    const sources = doubted.length === 0 ? [] : (this.#index?.sources() ?? []);
    this.#index = null;
    const same: IndexedRow[] = [];
    const changed: ConversationId[] = [];
    for (let at = 0; at < doubted.length; at += LOOKS) {
      if (!(await goOn())) return this.#note(changed);
      const part = doubted.slice(at, at + LOOKS).filter(({ row }) => !this.#behind.has(row.id));
      const done = this.#look(part, sources, same, told);
      this.#looking = { ids: new Set(part.map(({ row }) => row.id)), done };
      const found = await done.finally(() => (this.#looking = null));
      read.push(...found);
      changed.push(...found.map(({ id }) => id));
    }
    if (read.length <= WORTH && this.#gone <= MANY) return this.#note(changed);
    await goOn();
    // It only saves time, so one that cannot be written is no failure.
    await this.#behind
      .replace(() => {
        const kept = [...same, ...read.flatMap(keepable)].filter(({ row }) => !this.#behind.has(row.id));
        return writeIndex(this.#disk, this.#home.index, kept);
      })
      .catch(() => undefined);
  }

  /** The next start reads them, and shows nothing else before. */
  async #note(changed: readonly ConversationId[]): Promise<void> {
    for (const id of changed) await this.#behind.note(id);
  }

  /** To be awaited before a conversation is changed. */
  async leave(c: ConversationId): Promise<void> {
    await this.#behind.note(c);
    const { ids, done } = this.#looking ?? {};
    if (ids?.has(c) === true) await done?.catch(() => undefined);
  }

  /** Resolves to those that are no longer as the index has them. */
  async #look(
    part: readonly Doubted[],
    sources: readonly (RowSource | undefined)[],
    same: IndexedRow[],
    told: (read: RowRead) => Promise<void>,
  ): Promise<readonly RowRead[]> {
    const paths = part.map(({ row, at }) => filesOf(this.#home, row.id, sources[at]));
    const marks = await this.#disk.marksOf(paths.flat());
    const others: ConversationId[] = [];
    let first = 0;
    for (const [index, { row, at }] of part.entries()) {
      const source = sources[at];
      const from = first;
      first += paths[index]?.length ?? 0;
      const unchanged =
        source?.marks.length === FILES && source.marks.every((mark, file) => mark === marks[from + file]);
      if (unchanged) same.push({ row, source });
      else others.push(row.id);
    }
    const read = await readRows(this.#disk, this.#home, others);
    for (const one of read) await told(one);
    return read;
  }
}

function keepable({ row, source }: RowRead): readonly IndexedRow[] {
  return source !== null && isRow(row) ? [{ row, source }] : [];
}

function filesOf(home: HomeDirectory, id: ConversationId, source: RowSource | undefined): readonly string[] {
  if (source?.marks.length !== FILES) return [];
  const root = conversationPath(home, id);
  const state = stateOfEpoch(root, source.epoch);
  return [recordPath(root), state.snapshot, journalPath(state, source.generation)];
}
