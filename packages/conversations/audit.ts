/**
 * `audit.jsonl`: the latest commands that were refused or replayed. At 1 MiB the file becomes the older of the two that
 * are kept. It is advice: nothing waits for it and no failure of it fails a command.
 */
import { AuditLine } from '@hearth/protocol/audit.ts';
import { AppendLog } from '@hearth/store/append-log.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { Serial } from '@hearth/store/serial.ts';
/** Bytes at which the file is rotated. */
export const AUDIT_LIMIT = 1024 * 1024;

/** The two files of a conversation's audit. `add` returns at once and never throws. */
export class Audit {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #serial = new Serial();
  #log: AppendLog<AuditLine> | null = null;

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
  }

  /** Writes a line down, some time soon. */
  add(line: AuditLine): void {
    void this.#serial.run(() => this.#append(line)).catch(() => undefined);
  }

  /** What is kept, oldest first. A line that a stop tore is passed over. */
  read(): Promise<readonly AuditLine[]> {
    return this.#serial.run(async () => {
      const lines: AuditLine[] = [];
      for (const path of [this.#older, this.#path]) {
        const options = { line: AuditLine, seqOf: () => 0, asItIs: true };
        const { log } = await AppendLog.open<AuditLine>(this.#disk, path, options);
        await log.each(line => void lines.push(line));
        await log.close();
      }
      return lines;
    });
  }

  close(): Promise<void> {
    return this.#serial.run(async () => this.#log?.close());
  }

  get #older(): string {
    return this.#path.replace(/\.jsonl$/, '.1.jsonl');
  }

  async #append(line: AuditLine): Promise<void> {
    if (this.#log?.failure) this.#log = (await this.#log.reopen()).log;
    this.#log ??= (
      await AppendLog.open<AuditLine>(this.#disk, this.#path, { line: AuditLine, seqOf: () => 0 })
    ).log;
    if (this.#log.bytes >= AUDIT_LIMIT) await this.#rotate();
    await this.#log.append([line]);
  }

  async #rotate(): Promise<void> {
    await this.#log?.close();
    await this.#disk.rename(this.#path, this.#older);
    this.#log = (
      await AppendLog.open<AuditLine>(this.#disk, this.#path, { line: AuditLine, seqOf: () => 0 })
    ).log;
  }
}
