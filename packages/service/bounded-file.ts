import { dirname } from 'node:path';
import type { AppendHandle, Disk } from '@hearth/store/disk.ts';

/*
 * A file of lines that is bounded: beyond its limit it is moved aside as `.1`, and what was there before is gone. Lines are
 * written in the order in which they came. One that cannot be written is dropped, and whoever writes hears of it and goes
 * on: nothing that is kept like this may keep anything else from working.
 */
export class BoundedFile {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #limit: number;
  readonly #onFailure: (error: unknown) => void;
  #handle: AppendHandle | null = null;
  #bytes = 0;
  #queue: Promise<void> = Promise.resolve();

  /** `limit` in bytes, of each of the two files. */
  constructor(
    disk: Disk,
    path: string,
    limit: number,
    onFailure: (error: unknown) => void = () => undefined,
  ) {
    this.#disk = disk;
    this.#path = path;
    this.#limit = limit;
    this.#onFailure = onFailure;
  }

  /** Appends a value as one line of JSON. */
  write(value: unknown): void {
    const line = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
    void this.#push(() => this.#append(line));
  }

  /** Resolves when every line so far is written or dropped, and the file is closed. */
  close(): Promise<void> {
    return this.#push(async () => {
      await this.#handle?.close();
      this.#handle = null;
    });
  }

  #push(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work).catch(async (error: unknown) => {
      await this.#handle?.close().catch(() => undefined);
      this.#handle = null;
      this.#onFailure(error);
    });
    return this.#queue;
  }

  async #append(line: Uint8Array): Promise<void> {
    if (this.#handle !== null && this.#bytes + line.length > this.#limit) {
      await this.#handle.close();
      this.#handle = null;
      await this.#disk.rename(this.#path, `${this.#path}.1`);
    }
    if (this.#handle === null) {
      await this.#disk.makeDirectory(dirname(this.#path));
      this.#handle = await this.#disk.append(this.#path);
      this.#bytes = (await this.#disk.stat(this.#path))?.bytes ?? 0;
    }
    this.#bytes += line.length;
    await this.#handle.write(line);
  }
}
