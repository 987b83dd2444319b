/**
 * Carries out retention: measures, chooses, and moves what goes into the trash, one conversation after another.
 *
 * - What a pass does is what `plan` says at the same moment, but for what is made or used meanwhile.
 * - Nothing is judged before the files of all rows were looked at, and what was at work is open.
 * - Whatever was just made or used is safe in its own pass, and what begins to work while a pass is under way stays.
 * - Passes never overlap; those that are due while one runs are one pass after it.
 * - A pass that fails is told and done again when the next is due; nothing waits for it.
 * - A stop waits for one directory of a pass that is under way, and not for the pass.
 */
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Refusal } from '@hearth/protocol/receipt.ts';
import type { RetentionChoice, RetentionReport } from '@hearth/protocol/retention.ts';
import type { TrashEntry } from '@hearth/protocol/trash.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { Serial } from '@hearth/store/serial.ts';
import { Accounts } from './accounts.ts';
import { ClockWatch } from './clock-watch.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { Seen } from './last-seen.ts';
import type { Store } from './ports.ts';
import { DAY_MS } from './retention.ts';
import { reportOf, type Retention, STANDARD_RETENTION } from './retention-report.ts';
import { removalNotice } from './retention-words.ts';
import type { Rows } from './rows.ts';

/** What is kept, and whom to tell. */
export interface RetentionOptions extends Retention {
  /** Told of each pass that removed something or could not; one that was not asked for need not know the size of what stays. */
  onPass?(report: RetentionReport): void;
  /** Told of a pass that failed as a whole. */
  onFailure?(failure: unknown): void;
}

/** What retention measures and moves, and by which limits. */
export interface KeeperOptions {
  readonly store: Store;
  readonly disk: Disk;
  readonly clock: Clock;
  /** Where the last look at the clock is kept. */
  readonly seen: string;
  readonly rows: Rows;
  readonly lanes: Lanes;
  /** Resolves when all rows tell what their conversations are, those that were at work too. */
  known(): Promise<void>;
  /** `null`: nothing is removed by itself; what is asked for goes by the standard. */
  readonly retention: RetentionOptions | null;
}

const RETENTION = { kind: 'policy', name: 'retention', surface: 'service' } as const;

/**
 * Retention of one home. `plan` changes nothing; `pass` does the same and carries it out; `stop` ends what is under way
 * after the directory that it is at.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #accounts: Accounts;
  readonly #watch: ClockWatch;
  readonly #passes = new Serial();
  /** What the next pass protects because it was just made or used; `null` when none is due. */
  #due: Set<ConversationId> | null = null;
  /** What is being made or brought back. */
  readonly #arriving = new Set<ConversationId>();
  #stopped = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#accounts = new Accounts(options.store);
    this.#watch = new ClockWatch(options.disk, options.seen, options.clock);
  }

  /** Something was written into a conversation. */
  grown(id: ConversationId): void {
    this.#accounts.grown(id);
  }

  /** A pass is due. A conversation that was just made, used or brought back is safe in it. */
  soon(id: ConversationId | null): void {
    const { retention } = this.#options;
    if (retention === null || this.#stopped) return;
    const due = this.#due !== null;
    this.#due ??= new Set();
    if (id !== null) this.#due.add(id);
    if (due) return;
    this.#passes
      .run(async () => {
        const hands = this.#due ?? new Set();
        this.#due = null;
        // Nobody waits for it, and whoever began it goes on first.
        await this.#options.disk.moment();
        if (!this.#stopped) await this.#pass(hands, false);
      })
      .catch((thrown: unknown) => {
        if (!this.#stopped) retention.onFailure?.(thrown);
      });
  }

  /** Does what makes a conversation or brings it back: no pass takes it meanwhile, nor the one that is due afterwards. */
  async arriving<T>(id: ConversationId, work: () => Promise<T>): Promise<T> {
    this.#arriving.add(id);
    try {
      return await work();
    } finally {
      this.soon(id);
      this.#arriving.delete(id);
    }
  }

  /** What a pass would do now. */
  plan(): Promise<RetentionReport> {
    return this.#passes.run(async () => (await this.#judge(new Set(), { dryRun: true, whole: true })).report);
  }

  /** A pass, now. */
  pass(): Promise<RetentionReport> {
    return this.#passes.run(() => this.#pass(new Set(), true));
  }

  /** Resolves when no pass is under way or due. */
  settled(): Promise<void> {
    return this.#passes.run(() => Promise.resolve());
  }

  /** No pass begins any more, and one that is under way ends before its next directory; resolves when it has. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#accounts.close();
    await this.settled();
  }

  /** What lies in the trash, the latest first. */
  async trash(): Promise<readonly TrashEntry[]> {
    const { days } = this.#kept.trash;
    const entries: TrashEntry[] = [];
    for (const { name, note, record } of await this.#options.store.inTrash()) {
      const { id: conversation, title, bot, scope } = record;
      const { at, by, why } = note;
      const until = new Date(Date.parse(at) + days * DAY_MS).toISOString();
      const bytes = await this.#accounts.of('trash', name);
      entries.push({ name, conversation, title, bot, scope, at, by, why, until, bytes });
    }
    return entries;
  }

  get #kept(): Retention {
    return this.#options.retention ?? STANDARD_RETENTION;
  }

  /** `whole`: the report tells the sizes of what stays, too. */
  async #pass(hands: ReadonlySet<ConversationId>, whole: boolean): Promise<RetentionReport> {
    const { report, seen } = await this.#judge(hands, { dryRun: false, whole });
    await this.#watch.remember(seen);
    const removed: RetentionChoice[] = [];
    // A stop waits for one of them at most, whatever is left; the next pass goes on.
    for (const choice of report.choices.filter(one => one.remove)) {
      const why = this.#stopped ? STOPPING : await this.#remove(choice);
      if (why === null) removed.push(choice);
      else {
        report.failed.push(`"${choice.title}" (${choice.conversation}) stays: ${why}`);
        report.kept.push(choice.conversation);
      }
    }
    const gone = report.trash.filter(one => one.remove);
    for (const { name, title } of gone) {
      const why = this.#stopped ? STOPPING : await failureOf(this.#options.store.discard(name));
      if (why === null) continue;
      report.failed.push(`"${title}" stays in the trash: ${why}`);
      report.kept.push(name);
    }
    await this.#tell(removed);
    if (removed.length + gone.length + report.failed.length > 0) this.#options.retention?.onPass?.(report);
    return report;
  }

  async #judge(
    hands: ReadonlySet<ConversationId>,
    { dryRun, whole }: { readonly dryRun: boolean; readonly whole: boolean },
  ): Promise<{ readonly report: RetentionReport; readonly seen: Seen }> {
    const { rows } = this.#options;
    // What was only remembered may wait for its person by now, and what was at work shows as it was before that.
    await this.#options.known();
    const [latest] = await rows.list({});
    const { seen, doubt } = await this.#watch.look(latest?.updatedAt ?? null);
    const inHand = (id: ConversationId): boolean => hands.has(id) || this.#inHand(id);
    const judged = {
      ...this.#options,
      accounts: this.#accounts,
      retention: this.#kept,
      inHand,
      doubt,
      whole,
    };
    return { report: { ...(await reportOf(judged)), dryRun, failed: [], kept: [] }, seen };
  }

  /** Moves one into the trash, unless it was taken into use meanwhile. Resolves to why it stays. */
  async #remove({ conversation, why }: RetentionChoice): Promise<string | null> {
    const { lanes, clock } = this.#options;
    const note = { by: RETENTION, receipt: null, why };
    const judge = (lane: Lane | null): Refusal | null => (this.#inHand(conversation) ? IN_USE : inUse(lane));
    const removal = lanes.remove(conversation, judge, () => ({ at: instant(clock), ...note }));
    return removal.then(refused => refused?.message ?? null, sentenceOf);
  }

  /** Whether it was made, used or brought back after the present pass began. */
  #inHand(id: ConversationId): boolean {
    return this.#arriving.has(id) || this.#due?.has(id) === true;
  }

  /** Says in the default conversation what went; the trash says it too, should that not be possible. */
  async #tell(removed: readonly RetentionChoice[]): Promise<void> {
    const text = removalNotice(removed, this.#kept.trash.days);
    if (text === null) return;
    const { rows, lanes } = this.#options;
    const home = (await rows.list({})).find(row => row.isDefault);
    if (home === undefined) return;
    await failureOf(lanes.get(home.id).then(lane => lane.tell('conversations_removed', 'info', text)));
  }
}

const STOPPING = 'Hearth is stopping.';
const IN_USE: Refusal = { code: 'active', message: 'it was taken into use meanwhile.' };

/** A lane that was opened since it was judged is asked how it stands now. */
function inUse(lane: Lane | null): Refusal | null {
  if (lane === null) return null;
  const { state, turn, queue, pinned, isDefault } = lane.view();
  // While nothing can be saved, a turn that was stopped shows as idle and is still to be taken up.
  const rests = state === 'idle' && turn === null && queue.length === 0;
  if (rests && !lane.active && !pinned && !isDefault) return null;
  return IN_USE;
}

function failureOf(work: Promise<unknown>): Promise<string | null> {
  return work.then(() => null, sentenceOf);
}

function sentenceOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
