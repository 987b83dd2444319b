import { dirname } from 'node:path';
import type { AppendHandle, Disk } from '@hearth/store/disk.ts';

/*
 * A file of lines that is bounded: beyond its limit it is moved aside as `.1`, and what was there before is gone. Lines are
 * written in the order in which they came, after the last whole one. One that cannot be written is dropped, and whoever
 * writes hears of it and goes on: nothing that is kept like this may keep anything else from working.
 */

/** What ends a line. */
const NEWLINE = 10;

/** One such file, opened with the first line. `limit` is in bytes; on the disk there is twice as much at most. */
export class BoundedFile {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #limit: number;
  readonly #onFailure: (error: unknown) => void;
  #handle: AppendHandle | null = null;
  #bytes = 0;
  /** Whether the directory is known to hold the file by its name. */
  #named = false;
  #closed = false;
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

  /** Appends a value as one line of JSON; after `close` it is dropped, since nobody would close the file again. */
  write(value: unknown): void {
    if (this.#closed) return;
    const line = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
    void this.#push(() => this.#append(line));
  }

  /** Resolves when every line so far survives a crash or is dropped. */
  sync(): Promise<void> {
    return this.#push(async () => {
      if (this.#handle === null) return;
      await this.#handle.sync();
      if (this.#named) return;
      const directory = dirname(this.#path);
      await this.#disk.syncDirectory(directory);
      await this.#disk.syncDirectory(dirname(directory));
      this.#named = true;
    });
  }

  /** Resolves when every line so far is written or dropped, and the file is closed for good. */
  close(): Promise<void> {
    this.#closed = true;
    return this.rest();
  }

  /** Resolves when every line so far is written or dropped, and nothing holds the file until the next one. */
  rest(): Promise<void> {
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
      this.#named = false;
    }
    this.#handle ??= await this.#open();
    this.#bytes += line.length;
    await this.#handle.write(line);
  }

  /** A torn last line, which a crash leaves, would swallow the next one. */
  async #open(): Promise<AppendHandle> {
    await this.#disk.makeDirectory(dirname(this.#path));
    const handle = await this.#disk.append(this.#path);
    try {
      this.#bytes = (await this.#disk.stat(this.#path))?.bytes ?? 0;
      const last = await this.#disk.readRange(this.#path, Math.max(0, this.#bytes - 1), 1);
      if (this.#bytes === 0 || last[0] === NEWLINE) return handle;
      const whole = ((await this.#disk.read(this.#path)) ?? last).lastIndexOf(NEWLINE) + 1;
      await this.#disk.truncate(this.#path, whole);
      this.#bytes = whole;
      return handle;
    } catch (error) {
      await handle.close().catch(() => undefined);
      throw error;
    }
  }
}
