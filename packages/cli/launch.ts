import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemTimers, type Timers } from '@hearth/client/timers.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { CommandError, type Io } from './command.ts';
import { failureOf } from './errors.ts';
import { StartMessage } from './start-message.ts';

/*
 * Starts a service in the background, in a process that outlives its starter. The starter always hears what became of it:
 * that it serves, why it cannot, or that it took too long to say.
 */

/** Milliseconds in which a service has come up, on a slow disk and a busy machine. */
const UP_MS = 60_000;

/** Node 22 calls its SQLite an experiment, which would be all that most logs of a start hold. */
const QUIET = '--disable-warning=ExperimentalWarning';

/** Starts the service of a home, a real path. */
export async function startDetached(home: string, io: Io): Promise<StartMessage> {
  const path = join(home, 'logs', 'start.log');
  const log = await openLog(path);
  try {
    const entry = fileURLToPath(new URL('./serve-entry.ts', import.meta.url));
    const child = spawn(process.execPath, [QUIET, entry, home], {
      cwd: home,
      detached: true,
      env: { ...io.env },
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
    });
    const message = await firstMessage(child, path, systemTimers);
    if (child.connected) child.disconnect();
    child.unref();
    return message;
  } finally {
    await log.close();
  }
}

/** Empties the log of starts, 0600. Rejects with `CommandError` when something else stands in its place. */
async function openLog(path: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const log = await open(path, 'w', 0o600);
    await log.chmod(0o600);
    return log;
  } catch (error) {
    const { code, message } = failureOf(error);
    throw new CommandError(EXIT.environment, code, message);
  }
}

/** What the new service says first, or what became of it instead. One that is late is left alone: it may yet come up. */
export function firstMessage(child: ChildProcess, log: string, timers: Timers): Promise<StartMessage> {
  return new Promise(resolve => {
    const cancel = timers.after(UP_MS, () =>
      over({
        is: 'failed',
        code: 'unreachable',
        message: `The service (process ${child.pid}) has not come up within ${UP_MS / 1000} s: ${log} says how far it came; try again later, or end that process.`,
      }),
    );
    const over = (message: StartMessage): void => {
      cancel();
      resolve(message);
    };
    const failed = (): void =>
      over({ is: 'failed', code: 'disk_failed', message: `The service could not start; ${log} says why.` });
    child.once('error', failed);
    child.once('exit', failed);
    child.on('message', (value: unknown) => {
      const message = StartMessage.safeParse(value);
      if (message.success) over(message.data);
    });
  });
}
