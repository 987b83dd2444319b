/**
 * The files of one epoch, opened. The journal is the truth; the snapshot says where it begins, the event log and the
 * transcript repeat it for reading and are refilled from it.
 *
 * - A commit that has resolved is durable, and so is everything before it. Its events and words can be read at once.
 * - After a crash at any moment the state is the snapshot with the commits of the journal that it names; a commit that
 *   was never acknowledged is there whole or not at all.
 * - After a rejection nothing more is taken: the epoch is opened anew, without what was refused.
 */
import { join } from 'node:path';
import type { Commit } from '@hearth/engine/commit.ts';
import { formatCursor } from '@hearth/protocol/cursor.ts';
import type { LogDamage } from '@hearth/store/log-search.ts';
import { sweepTemps, writeJson } from '@hearth/store/atomic-file.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { Journal, type JournalOptions } from '@hearth/store/journal.ts';
import { CommitLine } from './commit-line.ts';
import { type EpochDirectory, generationOf, journalPath } from './conversation-directory.ts';
import { EventLog } from './event-log.ts';
import type { CommitResult, Damage, StoredSnapshot } from './ports.ts';
import type { Quarantine } from './quarantine.ts';
import type { Receipts } from './receipts.ts';
import { RECEIPTS_LOST } from './own-places.ts';
import { reconcile } from './reconcile.ts';
import { headOf, readSnapshot } from './snapshot.ts';
import { Traces } from './trace.ts';
import { Transcript } from './transcript.ts';

/** What an epoch needs of its conversation and its home. */
export interface EpochContext {
  readonly disk: Disk;
  readonly directory: EpochDirectory;
  readonly quarantine: Quarantine;
  readonly receipts: Receipts;
}

/** An opened epoch and what its state is folded from: the snapshot, then the commits. */
export interface OpenedEpoch {
  readonly epoch: Epoch;
  readonly snapshot: StoredSnapshot;
  readonly commits: readonly Commit[];
  readonly damage: readonly Damage[];
}

/** The open files of one epoch, for the one writer that it has. */
export class Epoch {
  readonly events: EventLog;
  readonly transcript: Transcript;
  /** Of the runs of this epoch. */
  readonly traces: Traces;
  readonly #context: EpochContext;
  readonly #number: number;
  #journal: Journal<CommitLine>;
  #generation: number;
  #last: number;
  #fence = 0;
  /** Set by the first failure; what every later write rejects with. */
  #failure: unknown;

  private constructor(
    context: EpochContext,
    snapshot: StoredSnapshot,
    parts: {
      journal: Journal<CommitLine>;
      events: EventLog;
      transcript: Transcript;
      traces: Traces;
      failure: unknown;
    },
  ) {
    this.#context = context;
    this.#number = snapshot.epoch;
    this.#generation = snapshot.generation;
    this.#journal = parts.journal;
    this.#last = parts.journal.last;
    this.#failure = parts.failure;
    this.events = parts.events;
    this.transcript = parts.transcript;
    this.traces = parts.traces;
  }

  /**
   * Opens the epoch and repairs what a crash left. `before` is the same epoch as it was opened earlier in this process:
   * what its failed writes may have left behind is dropped, since their callers were told that they failed.
   */
  static async open(context: EpochContext, before: Epoch | null = null): Promise<OpenedEpoch> {
    const { disk, directory, quarantine, receipts } = context;
    const snapshot = await readSnapshot(disk, directory);
    const again = await before?.journalOf(snapshot.generation)?.reopen();
    await before?.close();
    const synced = headOf(snapshot);
    const failure = await tidy(disk, directory, snapshot.generation);

    const seen = new Set<string>();
    const setAside = (found: LogDamage): void => {
      const place = `${found.path} ${found.offset}`;
      if (seen.has(place)) return;
      seen.add(place);
      const why = `A line of "${found.path}" cannot be read.`;
      void quarantine.keep('line', found.bytes, why).catch(() => undefined);
    };
    const { log: events, lost } = await EventLog.open(disk, directory.events, synced, setAside);
    const transcript = await Transcript.open(disk, directory.transcript, synced.seq, setAside);

    const path = journalPath(directory, snapshot.generation);
    const opened = again ?? (await Journal.open(disk, path, journalOptions(context, snapshot, events)));
    const { journal, lines } = opened;
    const { damage, failure: unwritten } = await reconcile({
      snapshot,
      commits: lines,
      events,
      lost,
      transcript,
      receipts,
      setAside: async (name, found) => {
        const text = found.map(line => `${JSON.stringify(line)}\n`).join('');
        const why = `"${directory.root}" told of more than its journal holds.`;
        await quarantine.keep(name, new TextEncoder().encode(text), why);
      },
    });
    // Those that were taken out on purpose are not lost.
    const short = events.untold === null && (await receipts.bytes()) < (snapshot.receipts ?? 0);
    for (const { receipt } of lines) if (receipt) receipts.add(receipt);
    const epoch = new Epoch(context, snapshot, {
      journal,
      events,
      transcript,
      traces: new Traces(disk, directory.traces, snapshot.machine.run?.id ?? null, lines),
      failure: failure ?? journal.failure ?? unwritten ?? undefined,
    });
    return { epoch, snapshot, commits: lines, damage: short ? [...damage, RECEIPTS_LOST] : damage };
  }

  /** Bytes of the current journal. */
  get grown(): number {
    return this.#journal.bytes;
  }

  /** See `Store.commit`. */
  async commit(fence: number, after: number, commit: Commit): Promise<CommitResult> {
    if (this.#failure !== undefined) throw this.#failure;
    if (fence < this.#fence) return 'fenced';
    if (after !== this.#last || commit.n !== after + 1) return 'conflict';
    this.#fence = fence;
    this.#last = commit.n;
    try {
      await this.#journal.append(commit);
    } catch (thrown) {
      throw this.#fail(thrown);
    }
    this.events.push(commit.events);
    this.transcript.push(commit.words);
    this.traces.push(commit);
    if (commit.receipt) this.#context.receipts.add(commit.receipt);
    return 'ok';
  }

  /** See `Store.snapshot`. Nothing may be committed until it has resolved. */
  async snapshot(fence: number, snapshot: StoredSnapshot): Promise<CommitResult> {
    if (this.#failure !== undefined) throw this.#failure;
    if (fence < this.#fence) return 'fenced';
    if (snapshot.commit !== this.#last || snapshot.epoch !== this.#number) return 'conflict';
    const { disk, directory, receipts } = this.#context;
    const generation = this.#generation + 1;
    try {
      await all([this.events.sync(), this.transcript.sync(), receipts.keep(), this.traces.keep()]);
      const transcript = { seq: this.transcript.last, bytes: this.transcript.bytes };
      const reaching = { generation, transcript, receipts: await receipts.bytes() };
      // Made before the snapshot gets its name: one sync of the directory names both.
      const options = journalOptions(this.#context, { ...snapshot, generation }, this.events);
      const journal = await Journal.create(disk, journalPath(directory, generation), options);
      await writeJson(disk, directory.snapshot, { ...snapshot, ...reaching });
      await this.#journal.close();
      await disk.remove(journalPath(directory, this.#generation));
      this.#journal = journal;
      this.#generation = generation;
      // A conversation at rest is a directory and nothing else.
      await this.events.rest();
      await this.transcript.rest();
    } catch (thrown) {
      throw this.#fail(thrown);
    }
    return 'ok';
  }

  /**
   * Makes what repeats the journal durable, since nobody will fill it up from there any more. Rejects with what failed before,
   * an opening too: what it is to repeat may not be known then.
   */
  async rest(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    await this.events.sync();
    await this.transcript.sync();
    await this.traces.keep();
  }

  async close(): Promise<void> {
    this.#failure ??= new DiskError(
      'disk_failed',
      this.#context.directory.root,
      `The conversation at "${this.#context.directory.root}" is closed; open it again.`,
    );
    await this.#journal.close();
    await this.events.close();
    await this.transcript.close();
  }

  /** The journal of an earlier opening, when it is the one that the snapshot names. */
  journalOf(generation: number): Journal<CommitLine> | null {
    return this.#generation === generation ? this.#journal : null;
  }

  #fail(thrown: unknown): unknown {
    this.#failure ??= thrown;
    return thrown;
  }
}

/** Waits for all of them before it tells of the first failure, so that nothing goes on behind a failed snapshot. */
async function all(works: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(works);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/**
 * Removes what belongs to another generation. The snapshot that replaced it must be durable first; resolves to why
 * that could not be had, and then nothing is removed.
 */
async function tidy(disk: Disk, directory: EpochDirectory, generation: number): Promise<unknown> {
  try {
    const names = await disk.list(directory.root);
    const stale = names.filter(name => (generationOf(name) ?? generation) !== generation);
    if (stale.length > 0) await disk.syncDirectory(directory.root);
    for (const name of stale) await disk.remove(join(directory.root, name));
    await sweepTemps(disk, directory.root);
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

/** How the journal after a snapshot is read. Damage restarts the event log above every number that was ever given out. */
function journalOptions(
  context: EpochContext,
  snapshot: Pick<StoredSnapshot, 'epoch' | 'generation' | 'commit' | 'seq'>,
  events: EventLog,
): JournalOptions<CommitLine> {
  const { disk, directory, quarantine } = context;
  const path = journalPath(directory, snapshot.generation);
  return {
    schema: CommitLine,
    after: snapshot.commit,
    quarantine: async (bytes, good) => {
      await quarantine.keep(
        `journal.${snapshot.generation}.jsonl`,
        bytes,
        `The journal "${path}" is damaged.`,
      );
      const seq = Math.max(events.last, highestSeq(await disk.read(path))) + 1;
      const check = sha256(bytes).slice('sha256:'.length, 'sha256:'.length + 6);
      const from = good.flatMap(commit => commit.events).at(-1)?.seq ?? snapshot.seq;
      await events.restart({ epoch: snapshot.epoch, seq, check }, { from, why: 'journal' });
    },
  };
}

/** The highest sequence number that the bytes mention, wherever they are torn. */
function highestSeq(bytes: Uint8Array | null): number {
  const text = new TextDecoder().decode(bytes ?? new Uint8Array());
  let highest = 0;
  for (const found of text.matchAll(/"seq":(\d{1,12})\b/g)) highest = Math.max(highest, Number(found[1]));
  return highest;
}

/** The head and the boundary as cursors. */
export function cursorsOf(events: EventLog): { head: string; retained: string } {
  return { head: formatCursor(events.head), retained: formatCursor(events.boundary) };
}
