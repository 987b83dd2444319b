/**
 * One opening of a conversation: its writer, its driver, and what had to be done first. A conversation opens on a disk
 * that takes no writes too; then it can be read, and `failure` says why it can do no more.
 */
import type { EntryBody } from '@hearth/engine/entry.ts';
import { formatCursor } from '@hearth/protocol/cursor.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';
import { Driver, type DriverOptions, notice } from './driver.ts';
import { positionOf } from './event-log.ts';
import { type LaneError, laneErrorFrom } from './lane-error.ts';
import type { Blobs, Bus, Lease, OpenedConversation, Store } from './ports.ts';
import { changesFrom, toldIn } from './retelling.ts';
import { rowOf } from './view.ts';
import { Writer } from './writer.ts';

export interface LaneOptions extends DriverOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly bus: Bus;
  readonly lease: Lease;
  /** Told of the row whenever something happened. */
  onRow?(row: ConversationRow): void;
}

export class Opening {
  readonly writer: Writer;
  readonly driver: Driver;
  readonly #release: () => Promise<void>;
  #failure: LaneError | null = null;
  private constructor(writer: Writer, driver: Driver, release: () => Promise<void>) {
    this.writer = writer;
    this.driver = driver;
    this.#release = release;
  }

  /**
   * Opens and takes up what a stop left; `null` when there is no such conversation. `sent` is the sequence number of the
   * last event that those attached were sent. Rejects with `DamagedFile`, or `DiskError` when the disk cannot be read.
   */
  static async start(options: LaneOptions, c: ConversationId, sent: number | null): Promise<Opening | null> {
    const { store, blobs, bus, lease, clock } = options;
    const opened = await store.open(c);
    if (opened === null) return null;
    const held = await lease.drive(c);
    const parts: { driver: Driver | null } = { driver: null };
    const writer = await Writer.open(
      {
        store,
        blobs,
        clock,
        fence: held.fence,
        onCommit: (frames, by) => {
          for (const frame of frames) bus.publish(c, frame);
          options.onRow?.(rowOf(by.view(), by.durable.at));
        },
        onDraft: frame => bus.publish(c, frame),
        onFailure: () => void parts.driver?.close(),
      },
      opened,
    );
    const driver = new Driver(options, writer);
    parts.driver = driver;
    const opening = new Opening(writer, driver, () => held.release());
    if (sent !== null) for (const frame of unsent(opened, sent)) bus.publish(c, frame);
    await opening.#boot(opened);
    return opening;
  }

  /** Why nothing can be written; `null` while all is well. */
  get failure(): LaneError | null {
    return this.#failure ?? this.writer.failure;
  }

  /**
   * Proposes what an accepted command does, and starts what it makes due, in one synchronous stretch. Resolves when it
   * is durable.
   */
  accept(
    entry: EntryBody | null,
    events: readonly EventBody[],
    receipt: Omit<Receipt, 'at'>,
  ): Promise<Receipt | null> {
    const done = this.writer.propose({ entries: entry === null ? [] : [entry], events, receipt });
    this.driver.kick();
    return done;
  }

  /** Stops what runs and lets what is being written become durable. */
  async close(): Promise<void> {
    await this.driver.close();
    await this.writer.close();
    await this.#release();
  }

  async #boot(opened: OpenedConversation): Promise<void> {
    const { writer, driver } = this;
    try {
      await driver.load();
      const entries: EntryBody[] = [];
      const events: EventBody[] = [...changesFrom(toldIn(opened), writer.record)];
      for (const { code, text, serious } of opened.damage) {
        if (serious && writer.state.machine.run) entries.push({ is: 'damaged', detail: text });
        else events.push(notice(code, serious ? 'error' : 'warning', text));
      }
      const effects = (writer.state.machine.run?.tokens ?? []).flatMap(({ stage }) =>
        stage.is === 'running' ? [stage.effect] : [],
      );
      if (effects.length > 0) entries.push({ is: 'restarted', effects });
      if (entries.length + events.length > 0) await writer.commit(entries, events);
      driver.replan();
      driver.kick();
      await writer.settled();
    } catch (thrown) {
      const failure = laneErrorFrom(thrown);
      if (failure.code === 'damaged_file') throw thrown;
      this.#failure = failure;
      await driver.close();
    }
  }
}

/** Frames of the commits that were durable although nobody was told. */
function unsent({ record, commits }: OpenedConversation, sent: number): Frame[] {
  return commits
    .flatMap(commit => commit.events)
    .filter(event => event.seq > sent)
    .map(event => ({ frame: 'event', cursor: formatCursor(positionOf(record.epoch, event)), event }));
}
