/**
 * The list of conversations, read once and kept up to date: everything that changes a row goes through here, and whoever
 * watches is told.
 */
import type { HomeFrame } from '@hearth/protocol/frame.ts';
import { ConversationId } from '@hearth/protocol/ids.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';
import type { ListFilter, Quarantined, RowCheck, Store, StoredRow } from './ports.ts';
import { RegistryError } from './registry-error.ts';
import { matches } from './view.ts';

/** What a look at the files asks of whoever has it done. */
export interface Look extends Pick<RowCheck, 'goOn'> {
  /** Told of each conversation that turns out to have been at work; the look is not over before it has been dealt with. */
  onUnsettled(id: ConversationId): Promise<void>;
}

/** The rows of one home, in memory; reads the store when it is first asked. A row that changes is another object. */
export class Rows {
  readonly #store: Store;
  readonly #watchers = new Set<(frame: HomeFrame) => void>();
  #rows: Promise<Map<ConversationId, ConversationRow>> | null = null;
  /** All rows in their order; `null` since one of them changed. */
  #latestFirst: readonly ConversationRow[] | null = null;
  /** Those that were dispatched; every other one was made by a person. */
  readonly #dispatched = new Set<ConversationId>();
  #unsettled: ConversationId[] = [];
  readonly #look: Look;
  #checked: Promise<void> | null = null;
  readonly #long = Promise.withResolvers<void>();

  constructor(store: Store, look: Look) {
    this.#store = store;
    this.#look = look;
  }

  /** The rows that the filter asks for, the latest first. */
  async list(filter: ListFilter): Promise<readonly ConversationRow[]> {
    const rows = await this.#all();
    this.#latestFirst ??= [...rows.values()].sort(latestFirst);
    return this.#latestFirst.filter(row => matches(row, filter));
  }

  /** The ids of those that are the default. */
  async defaults(): Promise<readonly ConversationId[]> {
    return (await this.list({})).flatMap(({ id, isDefault }) => (isDefault ? [id] : []));
  }

  /** Those that were at work when they were last written; asked once, at boot. */
  async unsettled(): Promise<readonly ConversationId[]> {
    await this.#all();
    return this.#unsettled.splice(0);
  }

  /** Resolves when the files of all rows were looked at; begins to when it is first asked. Rejects when the disk fails. */
  checked(): Promise<void> {
    this.#checked ??= this.#check();
    return this.#checked;
  }

  /** Resolves when no look at the files is under way. */
  async rest(): Promise<void> {
    await this.#checked?.catch(() => undefined);
  }

  /** Resolves should the rows turn out to be so many to read that a start does not wait for them. */
  get long(): Promise<void> {
    return this.#long.promise;
  }

  async has(id: ConversationId): Promise<boolean> {
    return (await this.#all()).has(id);
  }

  /** Who made it. */
  originOf(id: ConversationId): 'person' | 'dispatch' {
    return this.#dispatched.has(id) ? 'dispatch' : 'person';
  }

  /** What cannot be read. What stayed in its place is looked at again; it comes back when it can be read. */
  async damaged(): Promise<readonly Quarantined[]> {
    const rows = await this.#all();
    const found = await this.#store.quarantined();
    const inPlace = found.flatMap(one =>
      one.inPlace ? (ConversationId.safeParse(one.name).data ?? []) : [],
    );
    if (inPlace.length === 0) return found;
    for (const id of inPlace) {
      const row = await this.#store.row(id).catch(() => null);
      if (row === null) continue;
      this.#take(rows, row);
      this.#tell({ frame: 'changed', conversation: row.id });
    }
    return this.#store.quarantined();
  }

  /**
   * The conversation of that id, or of the only id that begins so, with or without its `c_`. Rejects with
   * `unknown_conversation` or `ambiguous_conversation`.
   */
  async find(name: string): Promise<ConversationId> {
    const rows = await this.#all();
    const id = ConversationId.safeParse(name).data;
    if (id !== undefined && rows.has(id)) return id;
    const start = (name.startsWith('c_') ? name : `c_${name}`).toLowerCase();
    const found = start === 'c_' ? [] : [...rows.keys()].filter(key => key.startsWith(start));
    const [first] = found;
    if (first === undefined) return this.#comeBack(name, start);
    if (found.length === 1) return first;
    throw new RegistryError(
      'ambiguous_conversation',
      `"${name}" is the beginning of ${found.length} conversations' ids; give more of it.`,
    );
  }

  /** Resolves to the row as it was before; `null` when there was none. */
  async changed(row: ConversationRow): Promise<ConversationRow | null> {
    const rows = await this.#all();
    const before = rows.get(row.id) ?? null;
    this.#set(rows, row);
    this.#tell({ frame: 'changed', conversation: row.id });
    return before;
  }

  /** A conversation was made, or came here or back. */
  async arrived(row: StoredRow): Promise<void> {
    this.#take(await this.#all(), row);
    this.#tell({ frame: 'changed', conversation: row.id });
  }

  async gone(id: ConversationId): Promise<void> {
    this.#leave(await this.#all(), id);
  }

  /** The result ends it. */
  watch(on: (frame: HomeFrame) => void): () => void {
    const own = (frame: HomeFrame): void => on(frame);
    this.#watchers.add(own);
    return () => this.#watchers.delete(own);
  }

  async #all(): Promise<Map<ConversationId, ConversationRow>> {
    this.#rows ??= this.#load();
    try {
      return await this.#rows;
    } catch (thrown) {
      this.#rows = null;
      throw thrown;
    }
  }

  async #load(): Promise<Map<ConversationId, ConversationRow>> {
    const rows = await this.#store.list({}, () => this.#long.resolve());
    this.#unsettled = rows.filter(row => !row.settled).map(row => row.id);
    const taken = new Map<ConversationId, ConversationRow>();
    for (const row of rows) this.#take(taken, row);
    return taken;
  }

  async #check(): Promise<void> {
    const rows = await this.#all();
    const unsettled: Promise<void>[] = [];
    const told = (id: ConversationId, row: StoredRow | null): void => {
      if (row === null) return this.#leave(rows, id);
      this.#take(rows, row);
      this.#tell({ frame: 'changed', conversation: id });
      if (!row.settled) unsettled.push(this.#look.onUnsettled(id));
    };
    await this.#store.check({ told, goOn: () => this.#look.goOn() });
    await Promise.all(unsettled);
  }

  #leave(rows: Map<ConversationId, ConversationRow>, id: ConversationId): void {
    rows.delete(id);
    this.#latestFirst = null;
    this.#dispatched.delete(id);
    this.#tell({ frame: 'removed', conversation: id });
  }

  #take(rows: Map<ConversationId, ConversationRow>, row: StoredRow): void {
    this.#set(rows, bare(row));
    if (row.origin === 'dispatch') this.#dispatched.add(row.id);
  }

  #set(rows: Map<ConversationId, ConversationRow>, row: ConversationRow): void {
    rows.set(row.id, row);
    this.#latestFirst = null;
  }

  /** The conversation whose id begins so, among those that could not be read before. */
  async #comeBack(name: string, start: string): Promise<ConversationId> {
    if (start === 'c_') throw unknown(name);
    const still = (await this.damaged()).find(one => one.inPlace && one.name.startsWith(start));
    if (still) throw new RegistryError('damaged_conversation', still.why);
    const found = [...(await this.#all()).keys()].find(id => id.startsWith(start));
    if (found === undefined) throw unknown(name);
    return found;
  }

  #tell(frame: HomeFrame): void {
    for (const on of this.#watchers) on(frame);
  }
}

/** The error for a name that fits no conversation. */
export function unknown(name: string): RegistryError {
  return new RegistryError(
    'unknown_conversation',
    `There is no conversation "${name}"; "hearth list" shows those there are.`,
  );
}

function bare(row: StoredRow): ConversationRow {
  const { id, title, isDefault, pinned, state, scope, bot, updatedAt } = row;
  return { id, title, isDefault, pinned, state, scope, bot, updatedAt };
}

/** Of the same instant, the one made later: its id is greater. */
function latestFirst(a: ConversationRow, b: ConversationRow): number {
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
