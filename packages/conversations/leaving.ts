/**
 * How conversations leave by a person's hand, and come back.
 *
 * - A conversation that is closed lies whole in the trash, and nothing is accepted into it from then on.
 * - One that is brought back is as it was; its log tells who did it, even after a crash in between.
 * - Both commands may be sent again: a close while the conversation lies in the trash, a restore while it exists.
 */
import type { Bare } from '@hearth/protocol/command.ts';
import type { CommandId, ConversationId } from '@hearth/protocol/ids.ts';
import type { Refusal, Reply } from '@hearth/protocol/receipt.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import { KeyedSerial } from '@hearth/store/keyed-serial.ts';
import { Serial } from '@hearth/store/serial.ts';
import type { Lane } from './lane.ts';
import { LaneError } from './lane-error.ts';
import type { Lanes } from './lanes.ts';
import { payloadOf } from './payload.ts';
import type { InTrash, Store } from './ports.ts';
import { RegistryError } from './registry-error.ts';
import { type Rows, unknown } from './rows.ts';

/** Whose conversations leave and come back. */
export interface LeavingOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly rows: Rows;
  readonly lanes: Lanes;
  /** Does what brings a conversation back, while no pass of retention takes it. */
  arriving<T>(id: ConversationId, work: () => Promise<T>): Promise<T>;
}

/** Close and restore, as commands with ids. Both reject with `RegistryError`. */
export class Leaving {
  readonly #options: LeavingOptions;
  readonly #returns = new Serial();
  readonly #closes = new KeyedSerial<CommandId>();

  constructor(options: LeavingOptions) {
    this.#options = options;
  }

  /** Refused with `default` or `active`. The open pauses of the reply's view are cancelled. */
  close(name: string, command: Bare): Promise<Reply> {
    return this.#closes.run(command.commandId, () => this.#close(name, command));
  }

  /**
   * `name` is the name in the trash, the conversation's id, or a beginning of the id that fits no other. Rejects with
   * `unknown_conversation`, `ambiguous_conversation` or `still_there`.
   */
  restore(name: string, command: Bare): Promise<Reply> {
    return this.#returns.run(() => this.#restore(name, command));
  }

  async #close(name: string, command: Bare): Promise<Reply> {
    const { rows, lanes, clock } = this.#options;
    const payload = payloadOf('close', command);
    let lane: Lane;
    try {
      lane = await lanes.get(await rows.find(name));
    } catch (thrown) {
      const closed = await this.#closed(name, command, payload);
      if (closed === null) throw thrown;
      return closed;
    }
    const { actor: by, commandId } = command;
    const view = lane.view();
    const receipt = { commandId, command: 'close', payload, at: view.head, did: {} };
    const refused = await lanes.remove(
      lane.id,
      () => refusalOf(lane),
      () => ({ at: instant(clock), by, receipt, why: null }),
    );
    if (refused) return { receipt: null, replayed: false, refused, view };
    return { receipt, replayed: false, view };
  }

  async #restore(name: string, command: Bare): Promise<Reply> {
    const { rows, lanes } = this.#options;
    const asked = { ...command, name };
    const found = await this.#named(name);
    const [entry] = found;
    if (entry === undefined) {
      const lane = await rows
        .find(idIn(name))
        .then(id => lanes.get(id))
        .catch(() => null);
      const replayed = (await lane?.replay('restore', asked)) ?? null;
      if (replayed) return replayed;
      throw new RegistryError(
        'unknown_conversation',
        `There is nothing "${name}" in the trash; "hearth trash" shows what there is.`,
      );
    }
    const { id } = entry.record;
    if (found.some(({ record }) => record.id !== id)) {
      const message = `"${name}" is the beginning of several ids in the trash; give more of it.`;
      throw new RegistryError('ambiguous_conversation', message);
    }
    if (await rows.has(id)) {
      const message = `The conversation ${id} is there already, so that of the trash cannot take its place.`;
      throw new RegistryError('still_there', message);
    }
    return this.#options.arriving(id, () => this.#bringBack(entry, asked));
  }

  async #bringBack(entry: InTrash, asked: Bare & { readonly name: string }): Promise<Reply> {
    const { store, clock, rows, lanes } = this.#options;
    const { id } = entry.record;
    const { actor: by, commandId } = asked;
    const note = { at: instant(clock), by, commandId, payload: payloadOf('restore', asked) };
    await store.restore(entry.name, note);
    const row = await store.row(id);
    if (row === null) throw unknown(id);
    await rows.arrived(row);
    // Opening it tells its log who brought it back.
    const lane = await lanes.get(id);
    const reply = await lane.replay('restore', asked);
    if (reply) return { ...reply, replayed: false };
    const message = `The conversation ${id} is back, but its log could not be written; send the command again.`;
    throw new LaneError('disk_failed', message);
  }

  /** The reply to a close that was done before; `null` when it was not. */
  async #closed(name: string, { commandId }: Bare, payload: string): Promise<Reply | null> {
    for (const entry of await this.#named(name)) {
      const { receipt } = entry.note;
      if (receipt?.commandId !== commandId || receipt.payload !== payload) continue;
      return { receipt, replayed: true, view: await this.#options.store.viewInTrash(entry) };
    }
    return null;
  }

  /** What a name means in the trash, the latest first. */
  async #named(name: string): Promise<readonly InTrash[]> {
    const start = (name.startsWith('c_') ? name : `c_${name}`).toLowerCase();
    const entries = await this.#options.store.inTrash();
    return entries.filter(
      entry => entry.name === name || (start !== 'c_' && entry.record.id.startsWith(start)),
    );
  }
}

function refusalOf(lane: Lane): Refusal | null {
  if (lane.view().isDefault) {
    return {
      code: 'default',
      message: 'The default conversation cannot be closed; make another one the default first.',
    };
  }
  if (!lane.active) return null;
  return { code: 'active', message: 'A turn is queued or running; wait for it or interrupt it, then close.' };
}

/** The conversation that a name in the trash ends with, or the name as it is. */
function idIn(name: string): string {
  return /c_[^-]+$/.exec(name)?.[0] ?? name;
}
