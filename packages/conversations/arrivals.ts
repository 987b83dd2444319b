import { presetVars } from '@hearth/engine/run-vars.ts';
import type { Bare, CreateConversation } from '@hearth/protocol/command.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Reply } from '@hearth/protocol/receipt.ts';
import type { Scope } from '@hearth/protocol/scope.ts';
import { instant } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import type { Ids } from '@hearth/store/ids.ts';
import { homeDirectory } from './conversation-directory.ts';
import { DEFAULT_BOT, DEFAULT_TITLE } from './default-conversation.ts';
import type { HomeReceipts } from './home-receipts.ts';
import type { Lane } from './lane.ts';
import type { LaneOptions } from './opening.ts';
import { portablePart } from './late-parts.ts';
import { payloadOf } from './payload.ts';
import type { Arrival } from './portable.ts';
import type { ConversationRecord } from './ports.ts';
import { RegistryError } from './registry-error.ts';
import type { Rows } from './rows.ts';
import { unknown } from './rows.ts';
import { checkScope } from './workspace-scope.ts';

/** What the making of conversations works with. */
export interface ArrivalsParts extends Pick<LaneOptions, 'store' | 'bots' | 'clock'> {
  readonly home: string;
  readonly disk: Disk;
  readonly ids: Ids;
  readonly receipts: HomeReceipts;
  readonly rows: Rows;
  readonly lane: (name: ConversationId) => Promise<Lane>;
  /** Does the work by which a conversation comes, while no pass of retention takes it for gone. */
  readonly arriving: <T>(id: ConversationId, work: () => Promise<T>) => Promise<T>;
}

/** What makes a conversation: a command, an archive that is taken in, and the first start of a home. */
export class Arrivals {
  readonly #parts: ArrivalsParts;

  constructor(parts: ArrivalsParts) {
    this.#parts = parts;
  }

  /** See `Conversations.create`. */
  async create(command: CreateConversation, origin: ConversationRecord['origin']): Promise<Reply> {
    const { disk, bots, clock, ids, store } = this.#parts;
    const { commandId } = command;
    const payload = payloadOf('create', command);
    const known = await this.#parts.receipts.find(commandId);
    const made = known?.conversation ?? null;
    const existing = made !== null && (await this.#parts.rows.has(made)) ? made : null;
    if (known && (known.payload !== payload || made === null)) {
      const message = `Command ${commandId} was already used for something else; send this one under a new command id.`;
      if (existing === null) throw new RegistryError('command_conflict', message);
      const view = (await this.#parts.lane(existing)).view();
      return { receipt: null, replayed: false, refused: { code: 'command_conflict', message }, view };
    }
    if (
      made !== null &&
      existing === null &&
      (known?.done === true || (await store.inTrash()).some(({ record }) => record.id === made))
    ) {
      throw unknown(made);
    }
    const id = made ?? ids.conversation();
    const replyOf = async (replayed: boolean): Promise<Reply> => {
      const view = (await this.#parts.lane(id)).view();
      const receipt = { commandId, command: 'create', payload, at: view.head, did: {} };
      return { receipt, replayed, view };
    };
    if (existing !== null) return replyOf(true);
    await checkScope(disk, command.scope);
    const bot = await bots.load(command.bot ?? DEFAULT_BOT);
    const { preset } = command;
    const chosen = preset === undefined ? null : presetVars(bot.plan, preset, '');
    if (chosen?.ok === false) throw new RegistryError('invalid_vars', chosen.why);
    const line = { commandId, payload, conversation: id, at: known?.at ?? instant(clock) };
    await this.#parts.receipts.put({ ...line, done: false });
    const title = command.title ?? bot.title;
    return this.#parts.arriving(id, async () => {
      const record = this.#record(id, title, command.bot ?? DEFAULT_BOT, command.scope, false);
      await this.#make({ ...record, origin, ...(preset === undefined ? {} : { preset }) });
      await this.#parts.receipts.put({ ...line, done: true });
      return replyOf(false);
    });
  }

  /** See `Conversations.import`. */
  async import(command: Bare, wanted: ConversationId, fill: Arrival['fill']): Promise<Reply> {
    const { disk, home, clock, ids, store } = this.#parts;
    const { commandId, actor: by } = command;
    const payload = payloadOf('import', { ...command, wanted });
    const known = await this.#parts.receipts.find(commandId);
    if (known !== null && known.payload !== payload) {
      const message = `Command ${commandId} was already used for something else; send this one under a new command id.`;
      throw new RegistryError('command_conflict', message);
    }
    const here = async (one: ConversationId): Promise<boolean> =>
      (await this.#parts.rows.has(one)) || (await store.inTrash()).some(({ record }) => record.id === one);
    const id = known?.conversation ?? ((await here(wanted)) ? ids.conversation() : wanted);
    const replyOf = async (replayed: boolean): Promise<Reply> => {
      const view = (await this.#parts.lane(id)).view();
      const receipt = { commandId, command: 'import', payload, at: view.head, did: {} };
      return { receipt, replayed, view };
    };
    if (known !== null && (await this.#parts.rows.has(id))) return replyOf(true);
    // One that was closed since is not brought a second time under the same id.
    if (known !== null && (known.done || (await here(id)))) throw unknown(id);
    const at = known?.at ?? instant(clock);
    await this.#parts.receipts.put({ commandId, payload, conversation: id, at, done: false });
    return this.#parts.arriving(id, async () => {
      const { arrive } = await portablePart();
      await arrive(disk, homeDirectory(home), { id, note: { at, by, commandId, payload }, fill });
      const row = await store.row(id);
      if (row === null) throw unknown(id);
      await this.#parts.rows.arrived(row);
      await this.#parts.receipts.put({ commandId, payload, conversation: id, at, done: true });
      return replyOf(false);
    });
  }

  /** Makes the home's first conversation, which is its default. */
  async first(): Promise<void> {
    const id = this.#parts.ids.conversation();
    await this.#make(this.#record(id, DEFAULT_TITLE, DEFAULT_BOT, { kind: 'global' }, true));
  }

  #record(
    id: ConversationId,
    title: string,
    bot: string,
    scope: Scope,
    isDefault: boolean,
  ): ConversationRecord {
    const createdAt = instant(this.#parts.clock);
    const kept = { pinned: false, origin: 'person', epoch: 1, createdAt } as const;
    return { format: 1, id, title, scope, bot, default: isDefault, ...kept };
  }

  async #make(record: ConversationRecord): Promise<void> {
    await this.#parts.store.create(record);
    const { id, title, default: isDefault, pinned, scope, bot, createdAt } = record;
    const row = { id, title, isDefault, pinned, state: 'idle', scope, bot, updatedAt: createdAt } as const;
    await this.#parts.rows.arrived({ ...row, settled: true, origin: record.origin });
  }
}
