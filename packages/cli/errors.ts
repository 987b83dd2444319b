import { HearthProblem } from '@hearth/client/problem.ts';
import { sanitise, sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { CommandError, type Io, UsageError } from './command.ts';

/*
 * Errors for people: one line on stderr, `hearth: what, where, what to do`, and an exit code. Never a stack, unless
 * HEARTH_DEBUG=1 asks for it.
 */

/** What is said of an error, and how the process ends. `lines` stand below the message. */
export interface Failure {
  readonly exit: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly lines: readonly string[];
}

/** Codes that say that the provider or the environment failed, and not the command. */
const ENVIRONMENT: ReadonlySet<string> = new Set([
  // The home and the service.
  'not_a_directory',
  'not_a_home',
  'not_yours',
  'read_only',
  'newer_format',
  'home_damaged',
  'settings_invalid',
  'port_in_use',
  'disk_failed',
  'disk_full',
  'no_permission',
  'damaged_file',
  'damaged_conversation',
  'ticket_damaged',
  'board_damaged',
  'settings_invalid',
  'unreachable',
  'version_mismatch',
  'stopped',
  'unreadable_answer',
  'unauthorized',
  'stopping',
  'internal',
  'too_many_streams',
  // The backends.
  'auth',
  'quota',
  'overloaded',
  'network',
  'missing',
  'cold',
  'quiet',
  'crashed',
  'protocol',
  'backend_missing',
]);

/** The exit code of a refusal or failure, by its code. */
export function exitOf(code: string): ExitCode {
  return ENVIRONMENT.has(code) ? EXIT.environment : EXIT.failed;
}

/** What to tell of anything thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError)
    return { exit: EXIT.usage, code: 'usage', message: error.message, lines: [] };
  if (error instanceof CommandError)
    return { exit: error.exit, code: error.code, message: error.message, lines: error.lines };
  if (error instanceof HearthProblem)
    return { exit: exitOf(error.code), code: error.code, message: error.detail, lines: [] };
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && told(error)) {
    const lines = 'detail' in error && Array.isArray(error.detail) ? error.detail.map(String) : [];
    return { exit: exitOf(error.code), code: error.code, message: error.message, lines };
  }
  const system = systemFailure(error);
  if (system !== null) return system;
  const message = 'Something unexpected went wrong; run it again with HEARTH_DEBUG=1 to see where.';
  return { exit: EXIT.environment, code: 'unexpected', message, lines: [] };
}

/** What the system says of a path, by its code: a code of ours, and a phrase that fits behind the path. */
const SYSTEM: Readonly<Record<string, readonly [code: string, what: string]>> = {
  EACCES: ['no_permission', 'may not be used: check its permissions'],
  EPERM: ['no_permission', 'may not be used: check its permissions'],
  EROFS: ['read_only', 'is on a disk that takes no writes: make it writable'],
  ENOSPC: ['disk_full', 'finds the disk full: free some space'],
  EDQUOT: ['disk_full', 'finds your quota used up: free some space'],
  EEXIST: ['disk_failed', 'is a file where a directory is needed: move it away'],
  ENOTDIR: ['disk_failed', 'lies below a file where a directory is needed: move that file away'],
  EISDIR: ['disk_failed', 'is a directory where a file is needed: move it away'],
  ELOOP: ['disk_failed', 'is a link that leads round in a circle: remove it'],
  ENOENT: ['disk_failed', 'is not there: look whether something removed it'],
  EMFILE: ['disk_failed', 'cannot be opened, since too many files are open: close some programs'],
};

/** An error of the system that names a path. */
function systemFailure(error: unknown): Failure | null {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return null;
  const [code, what] = SYSTEM[String(error.code)] ?? [
    'disk_failed',
    `cannot be used (${String(error.code)})`,
  ];
  const message = `The path ${String(error.path)} ${what}, then try again.`;
  return { exit: EXIT.environment, code, message, lines: [] };
}

/** The packages' own errors carry a sentence for a person; the system's do not. */
function told(error: Error): boolean {
  return ['HomeError', 'BotError', 'BoardError', 'DiskError', 'DamagedFile', 'BackendMissing'].includes(
    error.name,
  );
}

/** Prints the failure and answers its exit code. */
export function report(error: unknown, io: Io): ExitCode {
  const failure = failureOf(error);
  io.stderr.write(`hearth: ${sanitiseLine(failure.message)}\n`);
  for (const line of failure.lines) io.stderr.write(`  ${sanitise(line)}\n`);
  if (io.env['HEARTH_DEBUG'] === '1' && error instanceof Error)
    io.stderr.write(`${sanitise(error.stack ?? '')}\n`);
  return failure.exit;
}
