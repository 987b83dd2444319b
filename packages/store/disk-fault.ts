/** Turns what the system said about a failed file operation into a `DiskError` with one sentence for a person. */
import { DiskError, type DiskErrorCode } from './disk.ts';

/** The code of each system error that a person can do something about; every other one is `disk_failed`. */
const codes: Readonly<Record<string, DiskErrorCode>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EROFS: 'read_only',
  EACCES: 'no_permission',
  EPERM: 'no_permission',
};

const sentences: Readonly<Record<DiskErrorCode, (path: string, why: string) => string>> = {
  disk_full: path => `The disk is full, so "${path}" could not be written; free some space and try again.`,
  read_only: path => `The disk that holds "${path}" is read-only; make it writable and try again.`,
  no_permission: path =>
    `Hearth has no permission for "${path}": "hearth doctor --repair" opens what is yours in the home; what belongs to another user only that user or root can give back. Then try again.`,
  disk_failed: (path, why) => `The disk failed at "${path}" (${why}); check the disk and try again.`,
};

/** A `DiskError` with the sentence of its code. `why` is a few words for `disk_failed`, such as the system's code. */
export function diskError(code: DiskErrorCode, path: string, why: string, options?: ErrorOptions): DiskError {
  return new DiskError(code, path, sentences[code](path, why), options);
}

/** What no operation does: follow a link that somebody put in the place of a file or directory. */
export function linkError(path: string, options?: ErrorOptions): DiskError {
  const message = `"${path}" is a link, which Hearth never makes and does not follow; look where it leads and put a file or directory in its place.`;
  return new DiskError('disk_failed', path, message, options);
}

/** The `DiskError` for anything that a file operation on `path` threw. */
export function diskErrorFrom(thrown: unknown, path: string): DiskError {
  if (thrown instanceof DiskError) return thrown;
  const why = systemCode(thrown) ?? (thrown instanceof Error ? thrown.message : String(thrown));
  if (why === 'ELOOP') return linkError(path, { cause: thrown });
  return diskError(codes[why] ?? 'disk_failed', path, why, { cause: thrown });
}

/** The system's code of a thrown error, such as `ENOENT`; `null` when it has none. */
export function systemCode(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null;
  return typeof thrown.code === 'string' ? thrown.code : null;
}
