/**
 * One opening of a conversation: its writer, its driver, and what had to be done first. A conversation opens on a disk
 * that takes no writes too; then it can be read, and `failure` says why it can do no more.
 */
import type { Commit } from '@hearth/engine/commit.ts';
import type { EntryBody } from '@hearth/engine/entry.ts';
import { formatCursor, type Position } from '@hearth/protocol/cursor.ts';
import type { EventBody } from '@hearth/protocol/event.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import type { ConversationRow, ConversationView } from '@hearth/protocol/view.ts';
import { DamagedFile } from '@hearth/store/atomic-file.ts';
import { Driver, type DriverOptions, notice } from './driver.ts';
import { positionOf } from './event-log.ts';
import { type LaneError, type LaneErrorCode, laneErrorFrom } from './lane-error.ts';
import { mendPlans } from './lost-plans.ts';
import type { Blobs, Bus, Lease, OpenedConversation, Store } from './ports.ts';
import { arrivalOf, changesFrom, mendingOf, toldIn, wasTold } from './retelling.ts';
import type { Unplaced } from './stamp.ts';
import { rowFrom } from './view.ts';
import { Writer, type WriterOptions } from './writer.ts';

/** Everything that a lane works with; the same for all lanes of a home. */
export interface LaneOptions extends DriverOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly bus: Bus;
  readonly lease: Lease;
  /** Told of the row whenever something happened. */
  onRow?(row: ConversationRow): void;
  /** Told of each conversation that was opened, once its lane can be had. */
  onOpened?(c: ConversationId): void;
  /** Told when what happens in a conversation can no longer be saved. */
  onTrouble?(c: ConversationId, failure: LaneError): void;
}

/** What an opening after another one needs to know. */
export interface Before {
  /** The position of the last event that those attached were sent. */
  readonly sent: Position;
  /** What ended the work that went on in it; `null` when there was none. */
  readonly failure: LaneError | null;
}

/** The failures of a disk; every other one is the program's. */
const UNSAVED: ReadonlySet<LaneErrorCode> = new Set([
  'disk_full',
  'read_only',
  'no_permission',
  'disk_failed',
]);

/** One opening. It never becomes usable again after `failure`: it is closed, and another is made. */
export class Opening {
  readonly writer: Writer;
  readonly driver: Driver;
  readonly #release: () => Promise<void>;
  #failure: LaneError | null = null;
  #retired = false;

  private constructor(writer: Writer, driver: Driver, release: () => Promise<void>) {
    this.writer = writer;
    this.driver = driver;
    this.#release = release;
  }

  /**
   * Opens and takes up what a stop left; `null` when there is no such conversation. What is damaged is mended, as far as
   * that goes. `onFailure` is told when what was open can no longer be written. Rejects with `DamagedFile`, or `DiskError`
   * when the disk cannot be read.
   */
  static async start(
    options: LaneOptions,
    c: ConversationId,
    onFailure: (opening: Opening, failure: LaneError) => void,
    before: Before | null = null,
  ): Promise<Opening | null> {
    try {
      return await Opening.#start(options, c, onFailure, before);
    } catch (thrown) {
      if (!(thrown instanceof DamagedFile) || !(await options.store.mend(c))) throw thrown;
      return Opening.#start(options, c, onFailure, before);
    }
  }

  static async #start(
    options: LaneOptions,
    c: ConversationId,
    onFailure: (opening: Opening, failure: LaneError) => void,
    before: Before | null,
  ): Promise<Opening | null> {
    const { store, blobs, bus, lease, clock } = options;
    const opened = await store.open(c);
    if (opened === null) return null;
    const held = await lease.drive(c);
    const parts: { driver: Driver | null; opening: Opening | null } = { driver: null, opening: null };
    const told: WriterOptions = {
      store,
      blobs,
      clock,
      fence: held.fence,
      onCommit: (frames, by) => {
        for (const frame of frames) bus.publish(c, frame);
        options.onRow?.(rowFrom(by.record, by.durable.state, by.durable.at));
      },
      onDraft: frame => bus.publish(c, frame),
      onFailure: failure => {
        void parts.driver?.close();
        // While it boots, whoever opens it asks what has become of it.
        if (parts.opening !== null) onFailure(parts.opening, failure);
      },
    };
    const writer = await Writer.open(told, opened).catch(async (thrown: unknown) => {
      const mended = thrown instanceof DamagedFile && (await mendPlans(store, options.bots, opened));
      if (!mended) throw thrown;
      return Writer.open(told, opened);
    });
    const driver = new Driver(options, writer);
    parts.driver = driver;
    const opening = new Opening(writer, driver, () => held.release());
    if (before !== null) {
      for (const frame of unsent(opened, before.sent, writer.view())) bus.publish(c, frame);
    }
    await opening.#boot(opened, before?.failure ?? null);
    // The list was made from the snapshot, and the journal tells of more.
    if (before === null && opening.failure === null && opened.commits.length > 0)
      options.onRow?.(rowFrom(writer.record, writer.durable.state, writer.durable.at));
    parts.opening = opening;
    writer.tidy();
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
  accept(entry: EntryBody | null, events: readonly EventBody[], receipt: Unplaced): Promise<Receipt | null> {
    const done = this.writer.propose({ entries: entry === null ? [] : [entry], events, receipt });
    this.driver.replan();
    this.driver.kick();
    return done;
  }

  /** Takes nothing any more, since the conversation begins anew; whoever holds this asks the lane again. */
  retire(): void {
    this.#retired = true;
  }

  get retired(): boolean {
    return this.#retired;
  }

  /** Stops what runs and lets what is being written become durable. */
  async close(): Promise<void> {
    await this.driver.close();
    await this.writer.close();
    await this.#release();
  }

  /** The record says that it came back or here until the log does. */
  async #tellArrival(): Promise<void> {
    const { writer } = this;
    const { rules, machine } = writer.state;
    const plan = rules.length === 0 ? null : (machine.run?.plan ?? this.driver.bot.digest);
    const proposal = arrivalOf(writer.record, rules, plan);
    if (proposal === null) return;
    if (!(await writer.knows(proposal.receipt?.commandId ?? ''))) await writer.propose(proposal);
    const { restored: _back, imported: _here, ...record } = writer.record;
    await writer.update(record);
  }

  /** The record says what was mended until the log does. */
  async #tellMended(commits: readonly Commit[]): Promise<void> {
    const { mended, ...record } = this.writer.record;
    if (mended === undefined) return;
    const proposal = mendingOf(mended);
    if (!wasTold(mended, commits)) await this.writer.propose(proposal);
    await this.writer.update(record);
  }

  async #boot(opened: OpenedConversation, ended: LaneError | null): Promise<void> {
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
      if (effects.length > 0) entries.push({ is: 'restarted', effects, ...whyOf(ended) });
      // Whether the disk takes writes again is known only when it has taken one.
      const doubtful = ended !== null && UNSAVED.has(ended.code);
      if (doubtful || entries.length + events.length > 0) await writer.commit(entries, events);
      await this.#tellArrival();
      await this.#tellMended(opened.commits);
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

/** What the effects that were cut short are told to have been cut by. */
function whyOf(ended: LaneError | null): { why?: 'not_saved' | 'fault' } {
  if (ended === null) return {};
  return { why: UNSAVED.has(ended.code) ? 'not_saved' : 'fault' };
}

/** Frames of the commits that were durable although nobody was told; those of another epoch follow a recovery. */
function unsent(
  { record, commits, retained }: OpenedConversation,
  sent: Position,
  view: ConversationView,
): Frame[] {
  const frames = commits
    .flatMap(commit => commit.events)
    .filter(event => event.seq > sent.seq)
    .map(
      (event): Frame => ({ frame: 'event', cursor: formatCursor(positionOf(record.epoch, event)), event }),
    );
  if (record.epoch === sent.epoch) return frames;
  const recovery = { code: 'epoch_changed', resetCursor: retained, stateCursor: view.head, view } as const;
  return [{ frame: 'recover', recovery }, ...frames];
}
