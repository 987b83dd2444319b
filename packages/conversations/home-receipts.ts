/**
 * `receipts.jsonl` of a home: commands that name no conversation, kept for 90 days. A line is written before the command
 * is carried out, so that one that was cut short is finished under the same id and never done twice.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { CommandId, ConversationId, Digest, Instant } from '@hearth/protocol/ids.ts';
import { TicketId } from '@hearth/protocol/ticket.ts';
import { AppendLog } from '@hearth/store/append-log.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { Serial } from '@hearth/store/serial.ts';

const HomeReceipt = z.object({
  commandId: CommandId,
  payload: Digest,
  /** The conversation that it makes, or the tickets that it made. */
  conversation: ConversationId.exactOptional(),
  tickets: z.array(TicketId).exactOptional(),
  at: Instant,
  /** Written a second time, when it is done. */
  done: z.boolean(),
});
export type HomeReceipt = z.infer<typeof HomeReceipt>;

/** Days for which a command is remembered. */
export const KEPT_DAYS = 90;

/** What is known of a home's own commands, by their ids. It reads its file when it is first asked. */
export class HomeReceipts {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #clock: Clock;
  #log: AppendLog<HomeReceipt> | null = null;
  #opening: Promise<AppendLog<HomeReceipt>> | null = null;
  #known = new Map<CommandId, HomeReceipt>();
  /** Whether all that is known is on the disk, whatever became of the syncs of an earlier process. */
  #sure = false;
  /** How many lines the file had when it was opened. */
  #lines = 0;
  readonly #serial = new Serial();

  constructor(disk: Disk, path: string, clock: Clock) {
    this.#disk = disk;
    this.#path = path;
    this.#clock = clock;
  }

  /**
   * What is known of a command. Where the disk takes no writes it may be lost with the power still, so a line that is not `done`
   * is put again before it is relied on.
   */
  find(id: CommandId): Promise<HomeReceipt | null> {
    return this.#serial.run(async () => {
      const log = await this.#file();
      const found = this.#known.get(id) ?? null;
      if (found !== null && !this.#sure) await this.#rewrite(log, []).catch(unlessDisk);
      return found;
    });
  }

  /** Writes a line down; durable when it resolves. */
  put(receipt: HomeReceipt): Promise<void> {
    return this.#serial.run(async () => {
      const log = await this.#file();
      if (this.#sure && isDeepStrictEqual(this.#known.get(receipt.commandId), receipt)) return;
      if (this.#sure || !(await this.#rewrite(log, [receipt]))) {
        const file = await this.#file();
        await file.append([receipt]);
        await file.sync();
      }
      this.#known.set(receipt.commandId, receipt);
    });
  }

  async close(): Promise<void> {
    await this.#log?.close();
  }

  /** The file, opened once however many ask for it, and anew after a failure. */
  async #file(): Promise<AppendLog<HomeReceipt>> {
    if (this.#log && !this.#log.failure) return this.#log;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #open(): Promise<AppendLog<HomeReceipt>> {
    const options = { line: HomeReceipt, seqOf: () => 0 };
    const { log } = this.#log
      ? await this.#log.reopen()
      : await AppendLog.open<HomeReceipt>(this.#disk, this.#path, options);
    const oldest = new Date(this.#clock.now() - KEPT_DAYS * 24 * 60 * 60 * 1000).toISOString();
    const known = new Map<CommandId, HomeReceipt>();
    this.#lines = 0;
    await log.each(line => {
      this.#lines += 1;
      if (line.at >= oldest) known.set(line.commandId, line);
    });
    this.#known = known;
    this.#log = log;
    return log;
  }

  /**
   * Writes what was found and `more` as another file: a sync of what was found may have failed in an earlier process, and
   * then no later one writes it. Resolves to whether there was room for that.
   */
  async #rewrite(log: AppendLog<HomeReceipt>, more: readonly HomeReceipt[]): Promise<boolean> {
    // Half of the lines at least are worth nothing any more.
    const worn = this.#lines > 2 * this.#known.size + 100;
    try {
      if (worn) await log.rewrite(null, [...this.#known.values(), ...more]);
      else await log.rewrite(null, more, Number.NEGATIVE_INFINITY);
      this.#sure = true;
      return true;
    } catch (thrown) {
      // The file is the old one or the new one, and only reading it tells which.
      this.#log = null;
      if (thrown instanceof DiskError && thrown.code === 'disk_full') return false;
      throw thrown;
    }
  }
}

function unlessDisk(thrown: unknown): void {
  if (!(thrown instanceof DiskError)) throw thrown;
}
