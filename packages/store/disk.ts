/**
 * The file operations that the store is built from, and the only way to a disk. `NodeDisk` is the real one, `SimDisk`
 * keeps only what was synced and can crash before any call. Paths are absolute, and a link at their end is never followed:
 * whatever would have to is refused.
 *
 * Every method rejects with a `DiskError` that names the path. A rejected `sync` ends its handle: what is on the disk
 * is then unknown, and the caller must close it and read the tail again.
 */
export interface Disk {
  /** Reads a whole file; `null` when there is none. */
  read(path: string): Promise<Uint8Array | null>;
  /**
   * Reads many small files, for whoever needs them all at once; other work goes on in between. In the place of a file
   * that cannot be read stands its error; links are not followed.
   */
  readMany(paths: readonly string[]): Promise<readonly (FileRead | DiskError | null)[]>;
  /**
   * The marks of many files, without reading them; `NOTHING` where there is nothing, `null` where no mark can be given.
   * Links are not followed.
   */
  marksOf(paths: readonly string[]): Promise<readonly FileMark[]>;
  /** Reads `length` bytes from `offset`; fewer when the file ends before. */
  readRange(path: string, offset: number, length: number): Promise<Uint8Array>;
  /** Size in bytes and kind; `null` when there is nothing. Links are not followed. */
  stat(path: string): Promise<DiskStat | null>;
  /** Bytes of all files at and below a path, as far as it can be read; links are not followed. */
  usage(path: string): Promise<number>;
  /** Names in a directory, sorted; empty when there is no such directory. */
  list(path: string): Promise<readonly string[]>;
  /** Creates a directory and its parents, mode 0700. */
  makeDirectory(path: string): Promise<void>;
  /** Creates or replaces a file, mode 0600, without syncing it; a link in its place is refused. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Opens a file for appending, creating it with mode 0600; a link in its place is refused. */
  append(path: string): Promise<AppendHandle>;
  /** Syncs a file's contents. */
  syncFile(path: string): Promise<void>;
  /** Syncs a directory, so that renames and creations inside it survive. */
  syncDirectory(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Cuts a file to `length` bytes. */
  truncate(path: string, length: number): Promise<void>;
  /** Removes a file or a whole directory; nothing happens when it is not there. */
  remove(path: string): Promise<void>;
  /** Resolves when whatever else this moment brings has been handed in, so that it can be written together. */
  moment(): Promise<void>;
}

/**
 * While a file bears the same mark it holds the same bytes, whoever writes to it. `null` promises nothing: so it is for a
 * file that changed a moment ago, since its next change might leave the same mark.
 */
export type FileMark = string | null;

/** The mark of a path where there is nothing. */
export const NOTHING: FileMark = '';

/** A file that was read among many. Its mark was taken before the bytes were. */
export interface FileRead {
  readonly bytes: Uint8Array;
  readonly mark: FileMark;
}

/** What lies at a path; `other` is neither a file nor a directory, such as a socket. A link is refused instead. */
export interface DiskStat {
  readonly bytes: number;
  readonly kind: 'file' | 'directory' | 'other';
}

/** A file open for appending. One writer at a time. */
export interface AppendHandle {
  /** Appends all bytes; on rejection the file may end in a part of them. */
  write(bytes: Uint8Array): Promise<void>;
  /** Makes everything written so far durable (`fdatasync`). */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Why a disk operation failed, in words for a person. */
export type DiskErrorCode = 'disk_full' | 'read_only' | 'no_permission' | 'disk_failed';

/** What every `Disk` method rejects with. */
export class DiskError extends Error {
  readonly code: DiskErrorCode;
  readonly path: string;
  constructor(code: DiskErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DiskError';
    this.code = code;
    this.path = path;
  }
}
