/** Open files of the real disk, by their descriptors. */
import { closeSync, fchmodSync, fdatasync, fstatSync, fsync, read, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { AppendHandle, DiskError } from './disk.ts';
import { diskError, diskErrorFrom } from './disk-fault.ts';

/** The mode of every file, whatever the umask. */
export const FILE = 0o600;
/** Bytes that are handed to the system at once; it takes them into memory. */
const SMALL = 64 * 1024;

/** `fdatasync` of a descriptor: contents and length are durable, times need not be. */
export const dataSync = promisify(fdatasync);
/** `fsync` of a descriptor: everything about the file is durable; for directories, the names in them. */
export const wholeSync = promisify(fsync);
const readInto = promisify(read);
const writeFrom = promisify(write);

/** An append handle over a descriptor that it owns and closes. After a failed sync it takes nothing more. */
export class NodeAppendHandle implements AppendHandle {
  readonly #path: string;
  readonly #file: number;
  #ended: DiskError | null = null;
  /** What is under way on the descriptor, which must not be closed before. */
  #busy: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(path: string, file: number) {
    this.#path = path;
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#ended) throw this.#ended;
    await attempt(this.#path, () => this.#during(writeAll(this.#file, bytes)));
  }

  async sync(): Promise<void> {
    if (this.#ended) throw this.#ended;
    try {
      await this.#during(dataSync(this.#file));
    } catch (thrown) {
      // The system forgets which pages it failed to write, so a second sync would report a success that is not one.
      this.#ended = diskErrorFrom(thrown, this.#path);
      throw this.#ended;
    }
  }

  async close(): Promise<void> {
    this.#ended ??= diskError('disk_failed', this.#path, 'the file is closed');
    await this.#busy;
    if (this.#closed) return;
    this.#closed = true;
    await attempt(this.#path, () => closeSync(this.#file));
  }

  #during<T>(work: Promise<T>): Promise<T> {
    const before = this.#busy;
    this.#busy = work.catch(() => undefined).then(() => before);
    return work;
  }
}

/** Does work on a path; a failure of it is a `DiskError`. */
export async function attempt<T>(path: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw diskErrorFrom(thrown, path);
  }
}

/** Whatever the umask has left of the mode. A mode that is right already is not written again. */
export function makePrivate(file: number): void {
  if ((fstatSync(file).mode & 0o777) !== FILE) fchmodSync(file, FILE);
}

/** Writes all of it where the file stands. */
export async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const left = bytes.length - done;
    done +=
      left <= SMALL
        ? writeSync(file, bytes, done, left)
        : (await writeFrom(file, bytes, done, left, null)).bytesWritten;
  }
}

/** Up to `length` bytes from `offset` on: fewer where the file ends. */
export async function readRange(file: number, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await readInto(file, bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
