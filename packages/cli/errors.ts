import { HearthProblem } from '@hearth/client/problem.ts';
import { sanitise, sanitiseLine } from '@hearth/client/sanitise.ts';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { CommandError, type Io, UsageError } from './command.ts';

/*
 * Errors for people: one line on stderr, `hearth: what, where, what to do`, and an exit code. Never a stack, unless
 * HEARTH_DEBUG=1 asks for it.
 */

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
  'unreachable',
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
  const message = 'Something unexpected went wrong; run it again with HEARTH_DEBUG=1 to see where.';
  return { exit: EXIT.environment, code: 'unexpected', message, lines: [] };
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
