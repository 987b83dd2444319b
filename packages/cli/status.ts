import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { localMinute } from './local-time.ts';
import { print, printJson } from './output.ts';
import { mismatch, runningService } from './standing.ts';

/** `hearth status`: looks and starts nothing; exit code 1 says that no service runs, 4 that it does not answer. */
export async function status(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const { home, running } = await runningService(io);
  if (running === null) {
    if (call.flag('json')) printJson(io, { running: false, home });
    else print(io, `No service runs for ${home}; any command that needs one starts it.`);
    return EXIT.failed;
  }
  if (running.is === 'other') throw mismatch(running);
  const now = running.status;
  if (call.flag('json')) {
    printJson(io, { running: true, ...now });
    return EXIT.done;
  }
  print(
    io,
    `Hearth ${now.version} serves ${now.home} at ${now.address} (process ${now.pid}, since ${localMinute(now.startedAt)}).`,
  );
  print(
    io,
    `${now.conversations} conversation${now.conversations === 1 ? '' : 's'}, ${now.working} working, ${now.waiting} waiting for you.`,
  );
  print(io, `Backend: ${now.backend.name} (${now.backend.why})`);
  return EXIT.done;
}
