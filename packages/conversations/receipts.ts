/**
 * `receipts.jsonl`: the receipts of a conversation's accepted commands, for as long as it exists. Those of the current
 * journal generation are only in the journal until a snapshot moves them here; finding one twice is harmless, and nothing but
 * `last` relies on their order.
 */
import { parseCursor } from '@hearth/protocol/cursor.ts';
import { Receipt } from '@hearth/protocol/receipt.ts';
import { AppendLog } from '@hearth/store/append-log.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { Serial } from '@hearth/store/serial.ts';

/** Receipts by the id of their command. `add` keeps one in memory; `keep` writes what was added. */
export class Receipts {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #serial = new Serial();
  #log: AppendLog<Receipt> | null = null;
  #known: Map<string, Receipt> | null = null;
  /** The current generation's, oldest first. */
  #fresh: Receipt[] = [];
  /** Those above this number are to leave the file before anything is written to it; `null` when none are. */
  #cut: number | null = null;
  /** What is to leave the file is nowhere else. */
  #lost = false;

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
  }

  /** Takes up a receipt whose commit is durable. */
  add(receipt: Receipt): void {
    this.#fresh.push(receipt);
    this.#known?.set(receipt.commandId, receipt);
  }

  /** The first receipt under that id. The file is read when it is first asked. */
  async find(id: string): Promise<Receipt | null> {
    const known = this.#known ?? (await this.#serial.run(() => this.#load()));
    return known.get(id) ?? null;
  }

  /** The sequence number of the last receipt in the file; 0 when there is none. */
  last(): Promise<number> {
    return this.#serial.run(async () => {
      const [receipt] = await (await this.#file()).tail(1);
      return receipt === undefined ? 0 : seqOf(receipt);
    });
  }

  /** Bytes of the lines in the file. */
  bytes(): Promise<number> {
    return this.#serial.run(async () => (await this.#file()).bytes);
  }

  /**
   * Finds no more what the file holds above `seq`, which leaves it before anything is written to it: `lost` are the receipts of
   * commands whose effect was lost, which have to happen when they are sent again; the others are in the journal still, and stay
   * where there is no room for another file.
   */
  forgetAfter(seq: number, why: 'lost' | 'in the journal'): void {
    this.#cut = seq;
    this.#lost = why === 'lost';
    this.#known = null;
  }

  /** Takes what was forgotten out of the file. Rejects with `DiskError`; it is still forgotten then. */
  settle(): Promise<void> {
    return this.#serial.run(() => this.#settle());
  }

  /** Writes the current generation's receipts and all that the file holds, in whatever order, as another file. */
  gather(): Promise<void> {
    return this.#serial.run(async () => {
      if (this.#fresh.length > 0)
        await (await this.#file()).rewrite(null, this.#fresh, Number.NEGATIVE_INFINITY);
      this.#fresh = [];
    });
  }

  /** Makes the current generation's receipts durable in the file and forgets that they were its. */
  keep(): Promise<void> {
    return this.#serial.run(async () => {
      const fresh = [...this.#fresh];
      if (fresh.length === 0) return;
      await this.#settle();
      const log = await this.#file();
      await log.append(fresh);
      await log.sync();
      await log.rest();
      this.#fresh = this.#fresh.slice(fresh.length);
    });
  }

  close(): Promise<void> {
    return this.#serial.run(async () => this.#log?.close());
  }

  async #load(): Promise<Map<string, Receipt>> {
    if (this.#known) return this.#known;
    const known = new Map<string, Receipt>();
    const cut = this.#cut ?? Number.POSITIVE_INFINITY;
    await (await this.#file()).each(receipt => {
      if (seqOf(receipt) <= cut && !known.has(receipt.commandId)) known.set(receipt.commandId, receipt);
    });
    for (const receipt of this.#fresh) known.set(receipt.commandId, receipt);
    this.#known = known;
    return known;
  }

  async #settle(): Promise<void> {
    const cut = this.#cut;
    if (cut === null) return;
    const log = await this.#file();
    const kept: Receipt[] = [];
    await log.each(receipt => {
      if (seqOf(receipt) <= cut) kept.push(receipt);
    });
    try {
      // Of a command that has no event the number is an earlier one's, so all of them are written.
      if (log.bytes > 0) await log.rewrite(null, kept);
    } catch (thrown) {
      // The file is the old one or the new one, and only reading it tells which.
      this.#log = null;
      if (this.#lost || !(thrown instanceof DiskError) || thrown.code !== 'disk_full') throw thrown;
    }
    this.#cut = null;
    this.#known = null;
  }

  async #file(): Promise<AppendLog<Receipt>> {
    if (this.#log?.failure) this.#log = (await this.#log.reopen()).log;
    this.#log ??= (
      await AppendLog.open<Receipt>(this.#disk, this.#path, { line: Receipt, seqOf: () => 0 })
    ).log;
    return this.#log;
  }
}

function seqOf(receipt: Receipt): number {
  return parseCursor(receipt.at)?.seq ?? 0;
}
