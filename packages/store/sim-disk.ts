/**
 * A disk in memory that promises no more than POSIX does. A file's contents survive a crash once they are synced, a
 * name once its directory is synced; of everything else a seed chooses what is kept, torn or dropped. Calls are counted
 * and the disk can stop before any of them, so that a test can crash at every place there is.
 */
import { posix } from 'node:path';
import { sha256 } from './digest.ts';
import {
  type AppendHandle,
  type Disk,
  DiskError,
  type DiskErrorCode,
  type DiskStat,
  type FileMark,
  type FileRead,
  NOTHING,
} from './disk.ts';
import { diskError } from './disk-fault.ts';
import { SimFile } from './sim-file.ts';
import { survivalOf } from './sim-survival.ts';
import { bytesBelow, replaceable, SimDirectory, type SimNode, SimTree } from './sim-tree.ts';

/** The calls that are counted and can be made to fail; the last three are an append handle's. */
export type SimCall = keyof Disk | 'appendWrite' | 'appendSync' | 'appendClose';

/** The machine stopped: what this call and every later one on the same `SimDisk` rejects with. */
export class SimCrash extends DiskError {
  constructor(call: SimCall, path: string) {
    super('disk_failed', path, `The simulated machine stopped before ${call} of "${path}".`);
    this.name = 'SimCrash';
  }
}

interface Fault {
  readonly code: DiskErrorCode;
  readonly written: number;
}

/**
 * A disk for tests that can be told to fail, to fill up, and to crash before a given call; `crash` gives the disk
 * that a boot then finds.
 */
export class SimDisk implements Disk {
  /** How many calls were made, refused ones included. */
  calls = 0;
  /** The call that was refused first, such as `rename /a/b`; `null` before the crash. */
  stoppedBefore: string | null = null;
  readonly #tree: SimTree;
  readonly #faults = new Map<SimCall, Fault>();
  #crashBefore = Number.POSITIVE_INFINITY;
  #room = Number.POSITIVE_INFINITY;

  constructor(tree: SimTree = new SimTree()) {
    this.#tree = tree;
  }

  /** The call with this number (the first is 1) and every later one reject with `SimCrash`. */
  crashBefore(call: number): void {
    this.#crashBefore = call;
  }

  /** The disk that the next boot finds. This one stays as it is, so that several seeds can be tried on one crash. */
  crash({ seed }: { readonly seed: number }): SimDisk {
    return new SimDisk(this.#tree.survivor(survivalOf(seed)));
  }

  /** Makes the next such call fail, once. A write leaves its first `written` bytes behind; a sync leaves it unknown. */
  failNext(call: SimCall, code: DiskErrorCode, written = 0): void {
    this.#faults.set(call, { code, written });
  }

  /** Only this many more bytes can be written before the disk is full; `null` takes the bound away. */
  room(bytes: number | null): void {
    this.#room = bytes ?? Number.POSITIVE_INFINITY;
  }

  /** Takes every planned failure back, and the bound. */
  mend(): void {
    this.#faults.clear();
    this.room(null);
  }

  read(path: string): Promise<Uint8Array | null> {
    return this.#call('read', path, () => {
      if (this.#tree.at(path) === null) return null;
      const file = this.#file(path);
      return file.read(0, file.length);
    });
  }

  readMany(paths: readonly string[]): Promise<readonly (FileRead | DiskError | null)[]> {
    return Promise.all(
      paths.map(async path => {
        try {
          const bytes = await this.read(path);
          return bytes && { bytes, mark: sha256(bytes) };
        } catch (thrown) {
          // A machine that stopped answers nothing at all.
          if (thrown instanceof SimCrash || !(thrown instanceof DiskError)) throw thrown;
          return thrown;
        }
      }),
    );
  }

  marksOf(paths: readonly string[]): Promise<readonly FileMark[]> {
    return Promise.all(
      paths.map(path =>
        this.#call('marksOf', path, () => {
          const node = this.#tree.at(path);
          if (node === null) return NOTHING;
          return node.kind === 'file' ? sha256(node.read(0, node.length)) : null;
        }),
      ),
    );
  }

  readRange(path: string, offset: number, length: number): Promise<Uint8Array> {
    return this.#call('readRange', path, () => this.#file(path).read(offset, length));
  }

  stat(path: string): Promise<DiskStat | null> {
    return this.#call('stat', path, () => {
      const node = this.#tree.at(path);
      return node && { bytes: node.kind === 'file' ? node.length : 0, kind: node.kind };
    });
  }

  usage(path: string): Promise<number> {
    return this.#call('usage', path, () => bytesBelow(this.#tree.at(path)));
  }

  list(path: string): Promise<readonly string[]> {
    return this.#call('list', path, () => {
      const node = this.#tree.at(path);
      return node?.kind === 'directory' ? [...node.live.keys()].sort() : [];
    });
  }

  makeDirectory(path: string): Promise<void> {
    return this.#call('makeDirectory', path, () => this.#makeDirectory(path));
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    return this.#call('write', path, () => {
      const file = this.#created(path);
      file.cut(0);
      this.#put('write', path, file, bytes);
    });
  }

  append(path: string): Promise<AppendHandle> {
    return this.#call('append', path, () => {
      const file = this.#created(path);
      let ended: DiskError | null = null;
      let closed = false;
      const check = (): void => {
        if (ended) throw ended;
        if (closed) throw diskError('disk_failed', path, 'the file is closed');
      };
      return {
        write: bytes =>
          this.#call('appendWrite', path, () => {
            check();
            this.#put('appendWrite', path, file, bytes);
          }),
        sync: () =>
          this.#call('appendSync', path, () => {
            check();
            ended = this.#sync('appendSync', path, file);
            check();
          }),
        close: () =>
          this.#call('appendClose', path, () => {
            closed = true;
          }),
      };
    });
  }

  syncFile(path: string): Promise<void> {
    return this.#call('syncFile', path, () => {
      const failure = this.#sync('syncFile', path, this.#file(path));
      if (failure) throw failure;
    });
  }

  syncDirectory(path: string): Promise<void> {
    return this.#call('syncDirectory', path, () => this.#tree.syncDirectory(this.#directory(path)));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#call('rename', to, () => {
      const node = this.#tree.at(from);
      if (node === null) throw missing(from);
      const replaced = this.#tree.at(to);
      if (replaced === node) return;
      if (replaced && !replaceable(replaced, node))
        throw diskError('disk_failed', to, 'something else is there');
      this.#tree.change({ ...this.#slot(from), node: null }, { ...this.#slot(to), node });
    });
  }

  truncate(path: string, length: number): Promise<void> {
    return this.#call('truncate', path, () => this.#file(path).cut(length));
  }

  remove(path: string): Promise<void> {
    return this.#call('remove', path, () => {
      const node = this.#tree.at(path);
      if (node) this.#remove(path, node);
    });
  }

  readonly moment = (): Promise<void> => Promise.resolve();

  /** What a call does happens at once, so that the order of calls is the order of effects. */
  async #call<T>(call: SimCall, path: string, work: () => T): Promise<T> {
    this.calls += 1;
    if (this.calls >= this.#crashBefore) {
      this.stoppedBefore ??= `${call} ${path}`;
      throw new SimCrash(call, path);
    }
    const fault = this.#faults.get(call);
    if (fault && !partial.has(call)) {
      this.#faults.delete(call);
      throw diskError(fault.code, path, 'simulated');
    }
    return work();
  }

  #put(call: SimCall, path: string, file: SimFile, bytes: Uint8Array): void {
    const fault = this.#faults.get(call);
    this.#faults.delete(call);
    const fits = Math.min(bytes.length, fault ? fault.written : this.#room);
    file.write(file.length, bytes.subarray(0, fits));
    this.#room -= fits;
    if (fault) throw diskError(fault.code, path, 'simulated');
    if (fits < bytes.length) throw diskError('disk_full', path, 'simulated');
  }

  #sync(call: SimCall, path: string, file: SimFile): DiskError | null {
    const fault = this.#faults.get(call);
    this.#faults.delete(call);
    if (!fault) {
      file.sync();
      return null;
    }
    file.failSync();
    return diskError(fault.code, path, 'simulated');
  }

  #makeDirectory(path: string): void {
    const found = this.#tree.at(path);
    if (found?.kind === 'directory') return;
    if (found) throw diskError('disk_failed', path, 'a file is there');
    this.#makeDirectory(posix.dirname(path));
    this.#tree.change({ ...this.#slot(path), node: new SimDirectory() });
  }

  #remove(path: string, node: SimNode): void {
    if (node.kind === 'directory') {
      for (const [name, child] of node.live) this.#remove(posix.join(path, name), child);
    }
    this.#tree.change({ ...this.#slot(path), node: null });
  }

  #created(path: string): SimFile {
    if (this.#tree.at(path)) return this.#file(path);
    const file = new SimFile();
    this.#tree.change({ ...this.#slot(path), node: file });
    return file;
  }

  #file(path: string): SimFile {
    const node = this.#tree.at(path);
    if (node === null) throw missing(path);
    if (node.kind !== 'file') throw diskError('disk_failed', path, 'a directory is there');
    return node;
  }

  #directory(path: string): SimDirectory {
    const node = this.#tree.at(path);
    if (node === null) throw missing(path);
    if (node.kind !== 'directory') throw diskError('disk_failed', path, 'a file is there');
    return node;
  }

  #slot(path: string): { directory: SimDirectory; name: string } {
    return { directory: this.#directory(posix.dirname(path)), name: posix.basename(path) };
  }
}

/** The calls whose failure leaves something done. */
const partial: ReadonlySet<SimCall> = new Set(['write', 'appendWrite', 'syncFile', 'appendSync']);

function missing(path: string): DiskError {
  return diskError('disk_failed', path, 'nothing is there');
}
