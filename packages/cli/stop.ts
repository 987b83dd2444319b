import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { findService } from '@hearth/service/find.ts';
import { CommandError, type Invocation } from './command.ts';
import { print } from './output.ts';
import { runningService } from './standing.ts';

const TRIES = 150;
const EVERY_MS = 100;

/** `hearth stop`: returns when the service has withdrawn itself. Nothing to stop is no failure. */
export async function stop(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const { home, running } = await runningService(io);
  if (running === null) {
    print(io, `No service runs for ${home}.`);
    return EXIT.done;
  }
  const { pid, startedAt } = running.status;
  await running.client.stop();
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { service } = await findService(home);
    if (service === null || service.startedAt !== startedAt) {
      print(io, 'Stopped.');
      return EXIT.done;
    }
    await new Promise(resolve => setTimeout(resolve, EVERY_MS));
  }
  throw new CommandError(
    EXIT.environment,
    'unreachable',
    `The service (process ${pid}) has not stopped yet: end the process if it hangs.`,
  );
}
