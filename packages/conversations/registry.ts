/**
 * All conversations of a home.
 *
 * - The default conversation is made once, when the home is first initialised, and never again.
 * - There is one lane for each conversation, opened when it is first asked for.
 * - A conversation that cannot be read is set aside and reported; it never keeps the others from working.
 */
import { dirname } from 'node:path';
import type { Bare, ChangeConversation, CreateConversation } from '@hearth/protocol/command.ts';
import type { HomeFrame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import type { RetentionReport } from '@hearth/protocol/retention.ts';
import type { TrashEntry } from '@hearth/protocol/trash.ts';
import type { ConversationRow, ConversationView } from '@hearth/protocol/view.ts';
import { writeJson } from '@hearth/store/atomic-file.ts';
import { instant } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Ids } from '@hearth/store/ids.ts';
import { Serial } from '@hearth/store/serial.ts';
import { Arrivals } from './arrivals.ts';
import { homeDirectory } from './conversation-directory.ts';
import { HomeReceipts } from './home-receipts.ts';
import { Keeper } from './keeper.ts';
import type { RetentionOptions } from './keeper.ts';
import type { Lane } from './lane.ts';
import { Lanes, type LanesOptions } from './lanes.ts';
import { Leaving } from './leaving.ts';
import type { Arrival } from './portable.ts';
import type { ConversationRecord, ListFilter, Quarantined } from './ports.ts';
import { RegistryError } from './registry-error.ts';
import { Rows } from './rows.ts';

/** Everything that the conversations of a home work with. */
export interface ConversationsOptions extends Omit<LanesOptions, 'onRow'> {
  /** The home's absolute path. */
  readonly home: string;
  readonly disk: Disk;
  readonly ids: Ids;
  /** When nobody waits for an answer; absent: at any moment. */
  readonly quiet?: Pick<Disk, 'moment'>;
  /** What is kept. Without it nothing is removed by itself. */
  readonly retention?: RetentionOptions;
}

/** What routes and commands ask for conversations. Refusals are `RegistryError`, their codes go out as they are. */
export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #receipts: HomeReceipts;
  readonly #rows: Rows;
  readonly #lanes: Lanes;
  readonly #keeper: Keeper;
  readonly #leaving: Leaving;
  readonly #arrivals: Arrivals;
  readonly #creates = new Serial();
  #recovering: Promise<void> | null = null;
  #stopped = false;

  constructor(options: ConversationsOptions) {
    this.#options = options;
    const { disk, home, clock } = options;
    this.#rows = new Rows(options.store, { goOn: () => this.#goOn(), onUnsettled: id => this.#open(id) });
    this.#receipts = new HomeReceipts(disk, homeDirectory(home).receipts, clock);
    this.#lanes = new Lanes({ ...options, onRow: row => void this.#rowChanged(row) }, this.#rows);
    this.#keeper = new Keeper({
      ...options,
      seen: homeDirectory(home).seen,
      rows: this.#rows,
      lanes: this.#lanes,
      known: () => this.#known(),
      retention: options.retention ?? null,
    });
    this.#leaving = new Leaving({
      ...options,
      rows: this.#rows,
      lanes: this.#lanes,
      arriving: (id, work) => this.#keeper.arriving(id, work),
    });
    this.#arrivals = new Arrivals({
      ...options,
      receipts: this.#receipts,
      rows: this.#rows,
      lane: id => this.lane(id),
      arriving: (id, work) => this.#keeper.arriving(id, work),
    });
  }

  /** Makes the home's first conversation, unless that was ever done. To be called once, before anything else. */
  async initialise(): Promise<void> {
    const { disk, home, store, clock, ids } = this.#options;
    await store.sweep();
    const { mark, root } = homeDirectory(home);
    if ((await disk.read(mark)) !== null) return;
    await disk.makeDirectory(root);
    await disk.syncDirectory(dirname(root));
    if ((await this.#rows.defaults()).length === 0) await this.#arrivals.first();
    await writeJson(disk, mark, { format: 1, id: ids.session(), createdAt: instant(clock) });
  }

  /**
   * Opens every conversation that was at work, so that it recovers without anybody asking for it. Where very many must be read
   * first, it does so later, and whoever asks for a conversation waits until they are read.
   */
  async resume(): Promise<void> {
    await Promise.race([this.#recovered(), this.#rows.long]);
  }

  #recovered(): Promise<void> {
    this.#recovering ??= this.#recover();
    return this.#recovering;
  }

  async #known(): Promise<void> {
    await this.#recovered();
    await this.#rows.checked();
  }

  async #recover(): Promise<void> {
    for (const id of await this.#rows.unsettled()) {
      if (this.#stopped) return;
      await this.#open(id);
    }
    // What only looked as if it were at rest follows. Whoever needs to know that all was looked at is told of a failure.
    this.#rows.checked().catch(() => undefined);
  }

  /** One that cannot be opened says so to whoever asks for it. */
  async #open(id: ConversationId): Promise<void> {
    await this.lane(id).catch(() => undefined);
  }

  /** The latest first, and whatever could not be read. */
  async list(
    filter: ListFilter,
  ): Promise<{ readonly rows: readonly ConversationRow[]; readonly damaged: readonly Quarantined[] }> {
    // What was at work is told as its journal has it, from the first answer on.
    await this.#recovering?.catch(() => undefined);
    const damaged = await this.#rows.damaged();
    return { rows: await this.#rows.list(filter), damaged };
  }

  /** The default conversation. Rejects with `default_missing` or `default_ambiguous`. */
  async default(): Promise<ConversationId> {
    const [only, ...others] = await this.#rows.defaults();
    // What is said next goes there for good, so its own files are asked; all are looked at when those say otherwise.
    if (only !== undefined && others.length === 0) {
      const view = await this.#options.store.viewAtRest(only).catch(() => null);
      if (view?.isDefault !== false) return only;
    }
    await this.#rows.checked().catch(() => undefined);
    const found = await this.#rows.defaults();
    const [first] = found;
    if (first === undefined) {
      const rows = await this.#rows.list({});
      const aside = (await this.#options.store.quarantined()).some(({ name }) => /(?:^|-)c_/.test(name));
      const back = aside ? ' What was set aside may come back: see "hearth doctor".' : '';
      const how = rows.length === 0 ? 'make one with "hearth new" and then' : 'make one of its conversations';
      throw new RegistryError(
        'default_missing',
        `This home has no default conversation; ${how} the default with "hearth default ID".${back}`,
      );
    }
    if (found.length === 1) return first;
    const ids = found.join(', ');
    throw new RegistryError(
      'default_ambiguous',
      `This home has ${found.length} default conversations (${ids}); choose one with "hearth default ID".`,
    );
  }

  /** Makes a conversation the only default. Rejects with `not_global` for one that works in one directory only. */
  async makeDefault(name: string): Promise<void> {
    const chosen = await this.lane(name);
    if (chosen.view().scope.kind !== 'global') {
      throw new RegistryError(
        'not_global',
        `The conversation ${chosen.id} works in one directory only, and the default must work wherever its person is; choose a global one.`,
      );
    }
    await this.#rows.checked().catch(() => undefined);
    await chosen.mark(true);
    for (const id of await this.#rows.defaults())
      if (id !== chosen.id) await (await this.lane(id)).mark(false);
  }

  /**
   * Creates a conversation, for a person unless it is dispatched. Rejects with `RegistryError`, or `BotError` when the bot
   * cannot be loaded.
   */
  create(command: CreateConversation, origin: ConversationRecord['origin'] = 'person'): Promise<Reply> {
    return this.#creates.run(() => this.#arrivals.create(command, origin));
  }

  /** Renames, pins or gives another bot. Rejects with `BotError` when that bot cannot be loaded. */
  async change(name: string, command: ChangeConversation): Promise<Reply> {
    const lane = await this.lane(name);
    if (command.bot !== undefined) await this.#options.bots.load(command.bot);
    return lane.change(command);
  }

  /** Moves a conversation into the trash; see `Leaving`. */
  close(name: string, command: Bare): Promise<Reply> {
    return this.#leaving.close(name, command);
  }

  /** Begins a conversation anew; see `Lane.reset`. */
  async reset(name: string, command: Bare): Promise<Reply> {
    return (await this.lane(name)).reset(command);
  }

  /**
   * Takes in a conversation that `fill` brings; under `wanted`, its id where it comes from, unless one of that id is
   * here or in the trash. Rejects with `DamagedFile` when what comes is not whole.
   */
  import(command: Bare, wanted: ConversationId, fill: Arrival['fill']): Promise<Reply> {
    return this.#creates.run(() => this.#arrivals.import(command, wanted, fill));
  }

  /** What lies in the trash, the latest first. */
  trash(): Promise<readonly TrashEntry[]> {
    return this.#keeper.trash();
  }

  /** Brings a conversation back from the trash; see `Leaving`. */
  restore(name: string, command: Bare): Promise<Reply> {
    return this.#leaving.restore(name, command);
  }

  /** What a pass of retention would do now. */
  plan(): Promise<RetentionReport> {
    return this.#keeper.plan();
  }

  /** Removes what need not be kept; see `retention.ts`. */
  retain(): Promise<RetentionReport> {
    return this.#keeper.pass();
  }

  /** The pass at boot: begins it and does not wait for it. */
  retainSoon(): void {
    this.#keeper.soon(null);
  }

  /** Resolves when no pass of retention is under way or due. */
  retained(): Promise<void> {
    return this.#keeper.settled();
  }

  /**
   * The lane of a conversation, named by its id or a beginning that fits no other. Rejects with `RegistryError`, or
   * `LaneError` when it cannot be opened now.
   */
  async lane(name: string): Promise<Lane> {
    return this.#lanes.get(await this.#rows.find(name));
  }

  /** How a conversation stands, named as for `lane`; one at rest is not opened for it. Rejects as `lane`. */
  async view(name: string): Promise<ConversationView> {
    return this.#lanes.view(await this.#rows.find(name));
  }

  /** Tells of every row that changes, appears or leaves. The result ends it. */
  watch(on: (frame: HomeFrame) => void): () => void {
    return this.#rows.watch(on);
  }

  /** Resolves when nothing runs in any open conversation, and nothing is ready to. */
  settled(): Promise<void> {
    return this.#lanes.settled();
  }

  /** Stops what runs, without an outcome, and closes every lane. Nothing can be opened afterwards. */
  async closeAll(): Promise<void> {
    this.#stopped = true;
    await this.#keeper.stop();
    await this.#lanes.close();
    await this.#recovering?.catch(() => undefined);
    await this.#rows.rest();
    await this.#creates.run(() => this.#receipts.close());
  }

  /** The receipts of commands that name no conversation; whoever else has such commands writes them here too. */
  get receipts(): HomeReceipts {
    return this.#receipts;
  }

  /** Whether what nobody waits for goes on, once all that somebody waits for is done. */
  async #goOn(): Promise<boolean> {
    const { disk, quiet } = this.#options;
    await disk.moment();
    await quiet?.moment();
    return !this.#stopped;
  }

  async #rowChanged(row: ConversationRow): Promise<void> {
    const before = await this.#rows.changed(row);
    this.#keeper.grown(row.id);
    if (before?.state === 'working' && row.state !== 'working') this.#keeper.soon(row.id);
  }
}
