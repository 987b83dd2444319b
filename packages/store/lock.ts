/**
 * The home lock: at most one process holds it, from the moment it is taken until it is released or the process ends,
 * however it ends. It is an exclusive transaction on an empty SQLite file, on the real file system and not through
 * `Disk`; the system frees it at the holder's death and never while the holder merely stands still.
 *
 * Nothing else in the holding process may open the file: closing any descriptor of it would free the lock.
 */
import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { DiskError, DiskErrorCode } from './disk.ts';
import { diskError, diskErrorFrom, systemCode } from './disk-fault.ts';

export interface HomeLock {
  /** Frees the lock; nothing happens the second time. */
  release(): void;
}

const BUSY = 5;

/** Without this the collector closes the file, and so frees the lock, of a holder that keeps no `HomeLock`. */
const held = new Set<DatabaseSync>();

/** The results of SQLite that a person can do something about; every other one is `disk_failed`. */
const codes: ReadonlyMap<number, DiskErrorCode> = new Map([
  [3, 'no_permission'],
  [8, 'read_only'],
  [13, 'disk_full'],
  [23, 'no_permission'],
]);

/** Takes the lock, or answers `null` at once when another holds it. Throws `DiskError`. The directory must exist. */
export function acquireHomeLock(path: string): HomeLock | null {
  let database: DatabaseSync | null = null;
  try {
    create(path);
    database = new DatabaseSync(path, { timeout: 0 });
    // Otherwise SQLite puts a second file beside it, which would outlive a killed holder.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (thrown) {
    database?.close();
    if (resultOf(thrown) === BUSY) return null;
    throw lockError(thrown, path);
  }
  const taken = database;
  held.add(taken);
  return {
    release: () => {
      if (held.delete(taken)) taken.close();
    },
  };
}

/** Only an absent file is opened here: one that is there may be held by this very process. */
function create(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw thrown;
  }
  chmodSync(path, 0o600);
}

function lockError(thrown: unknown, path: string): DiskError {
  const result = resultOf(thrown);
  if (result === null) return diskErrorFrom(thrown, path);
  const why = `its lock could not be taken, SQLite says ${String(thrown instanceof Error ? thrown.message : result)}`;
  return diskError(codes.get(result) ?? 'disk_failed', path, why, { cause: thrown });
}

function resultOf(thrown: unknown): number | null {
  if (!(thrown instanceof Error) || !('errcode' in thrown)) return null;
  // The lower eight bits are the result, the rest refines it.
  return typeof thrown.errcode === 'number' ? thrown.errcode & 0xff : null;
}
