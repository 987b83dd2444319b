/**
 * `audit.jsonl`: the latest commands that were refused or replayed. At 1 MiB the file becomes the older of the two that
 * are kept. It is advice: nothing waits for it and no failure of it fails a command.
 */
import { z } from 'zod';
import { Actor } from '@hearth/protocol/actor.ts';
import { AppendLog } from '@hearth/store/append-log.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { Serial } from '@hearth/store/serial.ts';
import type { AuditLine } from './ports.ts';

const Line: z.ZodType<AuditLine> = z.object({
  at: z.string(),
  commandId: z.string(),
  command: z.string(),
  by: Actor,
  code: z.string(),
});

/** Bytes at which the file is rotated. */
export const AUDIT_LIMIT = 1024 * 1024;

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

  close(): Promise<void> {
    return this.#serial.run(async () => this.#log?.close());
  }

  async #append(line: AuditLine): Promise<void> {
    if (this.#log?.failure) this.#log = (await this.#log.reopen()).log;
    this.#log ??= (
      await AppendLog.open<AuditLine>(this.#disk, this.#path, { line: Line, seqOf: () => 0 })
    ).log;
    if (this.#log.bytes >= AUDIT_LIMIT) await this.#rotate();
    await this.#log.append([line]);
  }

  async #rotate(): Promise<void> {
    await this.#log?.close();
    await this.#disk.rename(this.#path, this.#path.replace(/\.jsonl$/, '.1.jsonl'));
    this.#log = (await AppendLog.open<AuditLine>(this.#disk, this.#path, { line: Line, seqOf: () => 0 })).log;
  }
}
