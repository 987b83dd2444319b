/**
 * All conversations of a home.
 *
 * - The default conversation is made once, when the home is first initialised, and never again.
 * - There is one lane for each conversation, opened when it is first asked for.
 * - A conversation that cannot be read is set aside and reported; it never keeps the others from working.
 */
import { dirname, join } from 'node:path';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { Bare, ChangeConversation, CreateConversation } from '@hearth/protocol/command.ts';
import type { HomeFrame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Refusal, Reply } from '@hearth/protocol/receipt.ts';
import type { Scope } from '@hearth/protocol/scope.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';
import { DamagedFile, writeJson } from '@hearth/store/atomic-file.ts';
import { instant } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Ids } from '@hearth/store/ids.ts';
import { Serial } from '@hearth/store/serial.ts';
import { homeDirectory } from './conversation-directory.ts';
import { HomeReceipts } from './home-receipts.ts';
import { Lane } from './lane.ts';
import { LaneError } from './lane-error.ts';
import type { LaneOptions } from './opening.ts';
import type { ConversationRecord, ListFilter, Quarantined } from './ports.ts';
import { payloadOf } from './payload.ts';
import { RegistryError } from './registry-error.ts';
import { Rows, unknown } from './rows.ts';
import { checkScope } from './workspace-scope.ts';

export interface ConversationsOptions extends Omit<LaneOptions, 'onRow'> {
  /** The home's absolute path. */
  readonly home: string;
  readonly disk: Disk;
  readonly ids: Ids;
}

/** The bot of the default conversation, and of those that name none. */
export const DEFAULT_BOT = 'whats-next';
/** The title of the default conversation. */
export const DEFAULT_TITLE = 'Nexie';

export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #receipts: HomeReceipts;
  readonly #rows: Rows;
  readonly #lanes = new Map<ConversationId, Promise<Lane>>();
  readonly #closing = new Set<ConversationId>();
  readonly #creates = new Serial();
  #stopped = false;

  constructor(options: ConversationsOptions) {
    this.#options = options;
    const { disk, home, clock } = options;
    this.#rows = new Rows(options.store);
    this.#receipts = new HomeReceipts(disk, homeDirectory(home).receipts, clock);
  }

  /** Makes the home's first conversation, unless that was ever done. To be called once, before anything else. */
  async initialise(): Promise<void> {
    const { disk, home, store, clock, ids } = this.#options;
    await store.sweep();
    const { mark, root } = homeDirectory(home);
    if ((await disk.read(mark)) !== null) return;
    await disk.makeDirectory(root);
    await disk.syncDirectory(dirname(root));
    const rows = await this.#rows.list({});
    if (!rows.some(row => row.isDefault)) {
      await this.#make(
        this.#record(ids.conversation(), DEFAULT_TITLE, DEFAULT_BOT, { kind: 'global' }, true),
      );
    }
    await writeJson(disk, mark, { format: 1, id: ids.session(), createdAt: instant(clock) });
  }

  /** Opens every conversation that was at work, so that it recovers without anybody asking for it. */
  async resume(): Promise<void> {
    // One that cannot be opened says so to whoever asks for it.
    for (const id of await this.#rows.unsettled()) await this.lane(id).catch(() => undefined);
  }

  /** The latest first, and whatever could not be read. */
  async list(
    filter: ListFilter,
  ): Promise<{ readonly rows: readonly ConversationRow[]; readonly damaged: readonly Quarantined[] }> {
    return { rows: await this.#rows.list(filter), damaged: await this.#options.store.quarantined() };
  }

  /** The default conversation. Rejects with `default_missing` or `default_ambiguous`. */
  async default(): Promise<ConversationId> {
    const found = (await this.#rows.list({})).filter(row => row.isDefault);
    const [first] = found;
    if (first === undefined) {
      throw new RegistryError(
        'default_missing',
        'This home has no default conversation; make one of its conversations the default with "hearth default ID".',
      );
    }
    if (found.length === 1) return first.id;
    const ids = found.map(row => row.id).join(', ');
    throw new RegistryError(
      'default_ambiguous',
      `This home has ${found.length} default conversations (${ids}); choose one with "hearth default ID".`,
    );
  }

  /** Makes a conversation the only default. */
  async makeDefault(name: string): Promise<void> {
    const chosen = await this.lane(name);
    await chosen.mark(true);
    for (const { id, isDefault } of await this.#rows.list({})) {
      if (isDefault && id !== chosen.id) await (await this.lane(id)).mark(false);
    }
  }

  /** Creates a conversation. Rejects with `RegistryError`, or `BotError` when the bot cannot be loaded. */
  create(command: CreateConversation): Promise<Reply> {
    return this.#creates.run(() => this.#create(command));
  }

  /** Renames, pins or gives another bot. Rejects with `BotError` when that bot cannot be loaded. */
  async change(name: string, command: ChangeConversation): Promise<Reply> {
    const lane = await this.lane(name);
    if (command.bot !== undefined) await this.#options.bots.load(command.bot);
    return lane.change(command);
  }

  /** Moves a conversation into the trash; its open pauses are those of the reply's view. */
  async close(name: string, command: Bare): Promise<Reply> {
    const lane = await this.lane(name);
    const view = lane.view();
    const refused = refusalOf(view.isDefault, lane.active);
    if (refused) return { receipt: null, replayed: false, refused, view };
    this.#closing.add(lane.id);
    try {
      await this.#trash(lane, command.actor, command.commandId);
    } finally {
      this.#closing.delete(lane.id);
    }
    const { commandId } = command;
    const payload = payloadOf('close', command);
    return {
      receipt: { commandId, command: 'close', payload, at: view.head, did: {} },
      replayed: false,
      view,
    };
  }

  /**
   * The lane of a conversation, named by its id or a beginning that fits no other. Rejects with `RegistryError`, or
   * `LaneError` when it cannot be opened now.
   */
  async lane(name: string): Promise<Lane> {
    const id = await this.#rows.find(name);
    if (this.#closing.has(id)) throw unknown(name);
    if (this.#stopped) throw new LaneError('closed', 'Hearth is stopping; try again in a moment.');
    let opening = this.#lanes.get(id);
    if (opening === undefined) {
      opening = this.#open(id);
      this.#lanes.set(id, opening);
      opening.catch(() => this.#lanes.delete(id));
    }
    const lane = await opening;
    await lane.ready();
    return lane;
  }

  /** Tells of every row that changes, appears or leaves. The result ends it. */
  watch(on: (frame: HomeFrame) => void): () => void {
    return this.#rows.watch(on);
  }

  /** Stops what runs, without an outcome, and closes every lane. Nothing can be opened afterwards. */
  async closeAll(): Promise<void> {
    this.#stopped = true;
    const lanes = await Promise.allSettled(this.#lanes.values());
    await Promise.all(lanes.flatMap(found => (found.status === 'fulfilled' ? [found.value.close()] : [])));
    await this.#creates.run(() => this.#receipts.close());
  }

  /** The receipts of commands that name no conversation; whoever else has such commands writes them here too. */
  get receipts(): HomeReceipts {
    return this.#receipts;
  }

  async #create(command: CreateConversation): Promise<Reply> {
    const { disk, bots, clock, ids, store } = this.#options;
    const { commandId } = command;
    const payload = payloadOf('create', command);
    const known = await this.#receipts.find(commandId);
    const made = known?.conversation ?? null;
    const existing = made !== null && (await this.#rows.has(made)) ? made : null;
    if (known && (known.payload !== payload || made === null)) {
      const message = `Command ${commandId} was already used for something else; send this one under a new command id.`;
      if (existing === null) throw new RegistryError('command_conflict', message);
      const view = (await this.lane(existing)).view();
      return { receipt: null, replayed: false, refused: { code: 'command_conflict', message }, view };
    }
    if (made !== null && existing === null && (known?.done === true || (await store.trashed(made)))) {
      throw unknown(made);
    }
    const id = made ?? ids.conversation();
    if (existing === null) {
      await checkScope(disk, command.scope);
      const bot = await bots.load(command.bot ?? DEFAULT_BOT);
      const line = { commandId, payload, conversation: id, at: instant(clock) };
      if (!known) await this.#receipts.put({ ...line, done: false });
      const title = command.title ?? bot.title;
      await this.#make(this.#record(id, title, command.bot ?? DEFAULT_BOT, command.scope, false));
      await this.#receipts.put({ ...line, done: true });
    }
    const view = (await this.lane(id)).view();
    const receipt = { commandId, command: 'create', payload, at: view.head, did: {} };
    return { receipt, replayed: existing !== null, view };
  }

  #record(
    id: ConversationId,
    title: string,
    bot: string,
    scope: Scope,
    isDefault: boolean,
  ): ConversationRecord {
    const createdAt = instant(this.#options.clock);
    const kept = { pinned: false, origin: 'person', epoch: 1, createdAt } as const;
    return { format: 1, id, title, scope, bot, default: isDefault, ...kept };
  }

  async #make(record: ConversationRecord): Promise<void> {
    await this.#options.store.create(record);
    const { id, title, default: isDefault, pinned, scope, bot, createdAt } = record;
    const row = { id, title, isDefault, pinned, state: 'idle', scope, bot, updatedAt: createdAt } as const;
    await this.#rows.changed(row);
  }

  async #open(id: ConversationId): Promise<Lane> {
    const { store } = this.#options;
    try {
      const lane = await Lane.open({ ...this.#options, onRow: row => void this.#rows.changed(row) }, id);
      if (lane) return lane;
    } catch (thrown) {
      if (!(thrown instanceof DamagedFile)) throw thrown;
      const why = `The conversation ${id} cannot be read (${thrown.why}); it was moved to "${join(this.#options.home, 'quarantine')}".`;
      await store.setAside(id, why);
      await this.#rows.gone(id);
      throw new RegistryError('damaged_conversation', why, { cause: thrown });
    }
    await this.#rows.gone(id);
    throw unknown(id);
  }

  async #trash(lane: Lane, by: Actor, commandId: string): Promise<void> {
    const { store, bus, clock } = this.#options;
    const { head } = lane.view();
    this.#lanes.delete(lane.id);
    await lane.close();
    await store.trash(lane.id, { at: instant(clock), by, commandId });
    await this.#rows.gone(lane.id);
    bus.publish(lane.id, {
      frame: 'recover',
      recovery: { code: 'unknown_conversation', resetCursor: head, stateCursor: head, view: null },
    });
  }
}

function refusalOf(isDefault: boolean, active: boolean): Refusal | null {
  if (isDefault) {
    return {
      code: 'default',
      message: 'The default conversation cannot be closed; make another one the default first.',
    };
  }
  if (!active) return null;
  return { code: 'active', message: 'A turn is queued or running; wait for it or interrupt it, then close.' };
}
