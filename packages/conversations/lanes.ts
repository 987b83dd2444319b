/**
 * The lanes of a home: one for each conversation, opened when it is first asked for, and none for one that leaves.
 *
 * - However many ask at once, one lane is opened.
 * - From the moment at which a conversation is to leave, nobody gets its lane and nothing more is accepted into it. One
 *   that cannot leave after all is there again.
 */
import { join } from 'node:path';
import { CURSOR_ZERO } from '@hearth/protocol/cursor.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Refusal } from '@hearth/protocol/receipt.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { DamagedFile } from '@hearth/store/atomic-file.ts';
import type { Lane } from './lane.ts';
import { LaneError } from './lane-error.ts';
import { lanePart } from './late-parts.ts';
import type { LaneOptions } from './opening.ts';
import type { Trashed } from './ports.ts';
import { RegistryError } from './registry-error.ts';
import { type Rows, unknown } from './rows.ts';

/** What every lane is made of, and whose home they are in. */
export interface LanesOptions extends LaneOptions {
  readonly home: string;
  /** What stands for the tools and surroundings given here, made when the first lane is opened. */
  means?(): Promise<Means>;
}

/** What a conversation works with besides its bot. */
export type Means = Required<Pick<LaneOptions, 'tools' | 'surroundings'>>;

/** Why a conversation may not leave; asked in the same stretch in which it begins to. */
type Judge = (lane: Lane | null) => Refusal | null;
/** What the trash keeps beside it. */
type Note = (lane: Lane | null) => Trashed;

/** All open lanes. Asking for one that left rejects with `unknown_conversation`. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #rows: Rows;
  readonly #lanes = new Map<ConversationId, Promise<Lane>>();
  /** Those that are on their way out, each until it is known whether it went. */
  readonly #leaving = new Map<ConversationId, Promise<boolean>>();
  #means: Promise<Partial<Means>> | null = null;
  #stopped = false;

  constructor(options: LanesOptions, rows: Rows) {
    this.#options = options;
    this.#rows = rows;
  }

  /** Rejects with `RegistryError`, or `LaneError` when it cannot be opened now. */
  async get(id: ConversationId): Promise<Lane> {
    while (this.#leaving.has(id)) await this.#leaving.get(id);
    if (this.#stopped) throw new LaneError('closed', 'Hearth is stopping; try again in a moment.');
    let opening = this.#lanes.get(id);
    if (opening === undefined) {
      opening = this.#open(id);
      this.#lanes.set(id, opening);
      opening.then(
        () => this.#options.onOpened?.(id),
        () => this.#lanes.delete(id),
      );
    }
    const lane = await opening;
    await lane.ready();
    return lane;
  }

  /** How a conversation stands; one at rest is not opened for it. Rejects as `get`. */
  async view(id: ConversationId): Promise<ConversationView> {
    const isFree = (): boolean => !this.#stopped && !this.#lanes.has(id) && !this.#leaving.has(id);
    const view = isFree() ? await this.#options.store.viewAtRest(id).catch(() => null) : null;
    // Somebody may have opened it, or closed it, while it was read.
    return view !== null && isFree() ? view : (await this.get(id)).view();
  }

  /**
   * Moves a conversation into the trash, ends its lane and tells whoever is attached. `judge` sees the lane, if one is
   * open, and may refuse; from then on nothing is accepted any more. Rejects with `unknown_conversation` when it left
   * before.
   */
  async remove(id: ConversationId, judge: Judge, note: Note): Promise<Refusal | null> {
    for (;;) {
      await this.#leaving.get(id);
      if (!(await this.#rows.has(id))) throw unknown(id);
      const opening = this.#lanes.get(id);
      const lane = (await opening?.catch(() => null)) ?? null;
      // Somebody may have asked for it meanwhile, or what was being changed has replaced it.
      const leave = async (): Promise<Refusal | 'again' | null> =>
        this.#lanes.get(id) === opening ? this.#leave(id, lane, judge, note) : 'again';
      const outcome = await (lane === null ? leave() : lane.alone(leave));
      if (outcome !== 'again') return outcome;
    }
  }

  /** Resolves when nothing runs in any open conversation, and nothing is ready to. */
  async settled(): Promise<void> {
    const lanes = await Promise.allSettled(this.#lanes.values());
    await Promise.all(lanes.flatMap(found => (found.status === 'fulfilled' ? [found.value.settled()] : [])));
  }

  /** Stops what runs, without an outcome, and closes every lane. Nothing can be opened afterwards. */
  async close(): Promise<void> {
    this.#stopped = true;
    const lanes = await Promise.allSettled(this.#lanes.values());
    await Promise.all(lanes.flatMap(found => (found.status === 'fulfilled' ? [found.value.close()] : [])));
  }

  async #leave(
    id: ConversationId,
    lane: Lane | null,
    judge: Judge,
    note: Note,
  ): Promise<Refusal | 'again' | null> {
    if (this.#leaving.has(id)) return 'again';
    const refused = judge(lane);
    if (refused) return refused;
    const { store, bus } = this.#options;
    const head = lane?.view().head ?? CURSOR_ZERO;
    const told = note(lane);
    const left = Promise.withResolvers<boolean>();
    this.#leaving.set(id, left.promise);
    try {
      this.#lanes.delete(id);
      await lane?.close(left.promise);
      await store.trash(id, told);
      await this.#rows.gone(id);
      left.resolve(true);
    } finally {
      // What could not be moved is still there, for whoever asked meanwhile too.
      left.resolve(false);
      this.#leaving.delete(id);
    }
    bus.publish(id, {
      frame: 'recover',
      recovery: { code: 'unknown_conversation', resetCursor: head, stateCursor: head, view: null },
    });
    return null;
  }

  async #open(id: ConversationId): Promise<Lane> {
    const { store, home } = this.#options;
    try {
      // Most starts open none.
      const { Lane } = await lanePart();
      const lane = await Lane.open({ ...this.#options, ...(await this.#given()) }, id);
      if (lane) return lane;
    } catch (thrown) {
      if (!(thrown instanceof DamagedFile)) throw thrown;
      const why = `The conversation ${id} cannot be read (${thrown.why}); it was moved to "${join(home, 'quarantine')}"; "hearth doctor" tells whether it can come back.`;
      await store.setAside(id, why);
      await this.#rows.gone(id);
      throw new RegistryError('damaged_conversation', why, { cause: thrown });
    }
    await this.#rows.gone(id);
    throw unknown(id);
  }

  async #given(): Promise<Partial<Means>> {
    this.#means ??= this.#options.means?.() ?? Promise.resolve({});
    try {
      return await this.#means;
    } catch (thrown) {
      this.#means = null;
      throw thrown;
    }
  }
}
