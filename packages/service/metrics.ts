import { join } from 'node:path';
import { TurnMetrics, TurnSettled } from '@hearth/conversations/metrics.ts';
import type { Commit } from '@hearth/engine/commit.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { BoundedFile } from './bounded-file.ts';
import { errorFacts, type Log } from './log.ts';

/*
 * `metrics/turn-settled.jsonl`: a row of counters for each turn that ended, outside the conversations and so longer lived
 * than they are. Guarantees: a turn has one row, also when a crash came between its end and its row, since rows are made
 * again from what a conversation still tells when it is opened; the file is bounded; a row that cannot be written is
 * dropped, and the turn knows nothing of it.
 */

const LIMIT = 4 * 1024 * 1024;
/** Rows that are remembered as written: more than both files hold. */
const REMEMBERED = 65_536;

/** The rows of one home. Nothing of it rejects for a disk that refuses. */
export class MetricsFile {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #file: BoundedFile;
  readonly #metrics: TurnMetrics;
  readonly #failed: (error: unknown) => void;
  /** The rows that are written, from the first time that one might be written twice. */
  #written: Set<string> | null = null;
  #work: Promise<void> = Promise.resolve();

  /** `mutates` says whether a tool of ours changes anything; `null` for one that is not ours. */
  constructor(disk: Disk, home: string, mutates: (tool: string) => boolean | null, log: Log) {
    this.#disk = disk;
    this.#path = metricsPath(home);
    this.#failed = error => log.write('metrics_failed', errorFacts(error));
    this.#file = new BoundedFile(disk, this.#path, LIMIT, this.#failed);
    this.#metrics = new TurnMetrics(mutates);
  }

  /** Takes what a conversation tells. */
  take(c: ConversationId, frame: Frame): void {
    if (frame.frame === 'recover') this.#metrics.forget(c);
    if (frame.frame !== 'event') return;
    const row = this.#metrics.take(c, frame.event);
    if (row !== null) this.#push(row, () => Promise.resolve(false));
  }

  /** Takes what a conversation that is opened still tells: the commits since its snapshot. */
  opened(c: ConversationId, commits: readonly Commit[]): void {
    for (const event of commits.flatMap(commit => commit.events)) {
      const row = this.#metrics.take(c, event);
      if (row !== null) this.#push(row, () => this.#has(row));
    }
  }

  /** Resolves when every row so far survives a crash or is dropped: what it was made from may go. */
  async kept(): Promise<void> {
    await this.#work;
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#file.close();
  }

  #push(row: TurnSettled, had: () => Promise<boolean>): void {
    this.#work = this.#work
      .then(async () => {
        if (await had()) return;
        this.#file.write(row);
        this.#remember(row);
      })
      .catch(this.#failed);
  }

  async #has(row: TurnSettled): Promise<boolean> {
    if (this.#written === null) {
      await this.#file.sync();
      this.#written = new Set();
      for (const path of [`${this.#path}.1`, this.#path]) {
        const text = new TextDecoder().decode((await this.#disk.read(path)) ?? new Uint8Array());
        for (const line of text.split('\n')) this.#remember(rowIn(line));
      }
    }
    return this.#written.has(nameOf(row));
  }

  #remember(row: TurnSettled | null): void {
    if (this.#written === null || row === null) return;
    this.#written.add(nameOf(row));
    const [oldest] = this.#written;
    if (this.#written.size > REMEMBERED && oldest !== undefined) this.#written.delete(oldest);
  }
}

/** Where a home's rows lie. */
export function metricsPath(home: string): string {
  return join(home, 'metrics', 'turn-settled.jsonl');
}

function nameOf({ conversation, turn }: TurnSettled): string {
  return `${conversation} ${turn}`;
}

function rowIn(line: string): TurnSettled | null {
  try {
    return TurnSettled.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
