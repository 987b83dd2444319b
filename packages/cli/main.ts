import { writeSync } from 'node:fs';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { CommandError, type CommandRow, type Invocation, type Io } from './command.ts';
import { useCompiled } from './compiled-code.ts';
import { homePath } from './home-path.ts';
import { parse, unknownCommand } from './parse.ts';
import { withoutKnownWarnings } from './warnings.ts';

/*
 * The command line. Guarantees: the exit code says what became of the command, stdout holds only its answer, every
 * error is one line on stderr, and output that nobody reads any more ends the command quietly.
 */

/** What a timer can wait for at most. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs one command line and answers its exit code; never rejects. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  let asked: { readonly row: CommandRow; readonly call: Invocation } | null = null;
  try {
    const parsed = parse(words, io);
    if (parsed.is === 'version') {
      const { VERSION } = await import('@hearth/service/version.ts');
      io.stdout.write(`${VERSION}\n`);
      return EXIT.done;
    }
    if (parsed.is === 'help') {
      const { help } = await import('./help.ts');
      const text = help(parsed.topic, io.stdout.columns);
      if (text === null) throw unknownCommand(parsed.topic ?? '');
      io.stdout.write(`${text}\n`);
      return EXIT.done;
    }
    asked = parsed;
    return await performed(parsed.row, parsed.call);
  } catch (error) {
    const { report } = await import('./errors.ts');
    if (asked?.row.options['json'] !== undefined && asked.call.flag('json')) {
      const { printFailure } = await import('./failure-output.ts');
      printFailure(error, io);
    }
    return report(error, io);
  }
}

/** A command that does not end itself is left where it stands when it is interrupted; nothing is undone by that. */
async function performed(row: CommandRow, call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const work = row.load().then(command => command(call));
  if (row.endsItself === true) return work;
  const interrupted = new Promise<never>((_resolve, reject) => {
    const stop = (): void =>
      reject(new CommandError(EXIT.interrupted, 'interrupted', io.interruption.message));
    if (io.interrupted.aborted) stop();
    io.interrupted.addEventListener('abort', stop, { once: true });
  });
  // Whichever is later has nobody to tell.
  work.catch(() => undefined);
  interrupted.catch(() => undefined);
  return Promise.race([work, interrupted]);
}

/** Where the command was typed. A directory that was removed meanwhile is no place to work in. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    process.stderr.write(
      'hearth: The current directory is gone: change into one that exists and try again.\n',
    );
    process.exit(EXIT.environment);
  }
}

/** The answer cannot be printed: nobody reads any more, which is their right, or there is no room for it. */
function unprinted(error: NodeJS.ErrnoException): never {
  const exit = exitUnprinted(error);
  if (exit !== EXIT.done) {
    const why = error.code === 'ENOSPC' ? 'the disk is full' : (error.code ?? 'unknown');
    try {
      // The process ends here, so no stream would get to write it.
      writeSync(
        2,
        `hearth: The output could not be written (${why}): free some space, or send it elsewhere.\n`,
      );
    } catch {
      // Then there is nobody to tell.
    }
  }
  process.exit(exit);
}

function exitUnprinted(error: NodeJS.ErrnoException): ExitCode {
  return error.code === 'EPIPE' ? EXIT.done : EXIT.environment;
}

/** Runs the process's own command line and ends the process. */
export async function main(): Promise<never> {
  withoutKnownWarnings();
  // A timer of the clock keeps no process alive, and a command that waits for nothing else must not end without an answer.
  setInterval(() => undefined, LONGEST_TIMER_MS);
  const controller = new AbortController();
  const interrupt = (): void => controller.abort(new Error('interrupted'));
  process.on('SIGINT', interrupt);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => unprinted(error));
  process.stderr.on('error', (error: NodeJS.ErrnoException) => process.exit(exitUnprinted(error)));
  const [env, cwd] = [process.env, currentDirectory()];
  useCompiled(homePath({ env, cwd }));
  const code = await run(process.argv.slice(2), {
    env,
    cwd,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    interrupted: controller.signal,
    interruption: { message: 'Interrupted.' },
  });
  // A pipe takes its time, and what was printed must arrive whole.
  await Promise.all(
    [process.stdout, process.stderr].map(
      stream => new Promise<void>(resolve => stream.write('', () => resolve())),
    ),
  );
  process.exit(code);
}
