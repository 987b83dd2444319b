/**
 * The home lock: at most one process holds it, from the moment it is taken until it is released or the process ends,
 * however it ends. It is an exclusive transaction on an empty SQLite file, on the real file system and not through
 * `Disk`; the system frees it at the holder's death and never while the holder merely stands still.
 *
 * Nothing else in the holding process may open the file: closing any descriptor of it would free the lock.
 */
import { accessSync, chmodSync, closeSync, constants, openSync, statSync } from 'node:fs';
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';
import type { DiskError, DiskErrorCode } from './disk.ts';
import { diskError, diskErrorFrom, systemCode } from './disk-fault.ts';

/** A lock that this process holds until `release` or until it ends. */
export interface HomeLock {
  /** Frees the lock; nothing happens the second time. */
  release(): void;
}

const BUSY = 5;
/** How long a start waits: a mere look at the lock keeps it that briefly from being taken. */
const PATIENCE_MS = 30;

/** Without this the collector closes the file, and so frees the lock, of a holder that keeps no `HomeLock`. */
const held = new Set<DatabaseSync>();

/** The results of SQLite that a person can do something about; every other one is `disk_failed`. */
const codes: ReadonlyMap<number, DiskErrorCode> = new Map([
  [3, 'no_permission'],
  [8, 'read_only'],
  [13, 'disk_full'],
  [23, 'no_permission'],
]);

/**
 * Takes the lock, or answers `null` when another holds it after `patience` milliseconds. Throws `DiskError`. The directory
 * must exist.
 */
export function acquireHomeLock(path: string, patience = PATIENCE_MS): HomeLock | null {
  let database: DatabaseSync | null = null;
  try {
    create(path);
    database = opened(path, { timeout: patience });
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

/**
 * Whether another process holds the lock; asks without taking it. Throws `DiskError` when that cannot be seen, above all
 * in the home of somebody else. Never to be called by a process that may hold it.
 */
export function homeLockHeld(path: string): boolean {
  let database: DatabaseSync | null = null;
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return false;
    // SQLite names no reason of the system's, so the right to look is asked for first.
    accessSync(path, constants.R_OK);
    database = opened(path, { readOnly: true, timeout: 0 });
    database.exec('SELECT 1 FROM sqlite_master');
    return false;
  } catch (thrown) {
    if (resultOf(thrown) === BUSY) return true;
    throw lockError(thrown, path);
  } finally {
    database?.close();
  }
}

/** SQLite is loaded only by who asks for a lock: most commands just read where the service is. */
function opened(path: string, options: DatabaseSyncOptions): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  return new DatabaseSync(path, options);
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
