import { realpath } from 'node:fs/promises';
import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { findService } from '@hearth/service/find.ts';
import { CommandError, type Invocation } from './command.ts';
import { homePath } from './home-path.ts';
import { print } from './output.ts';
import { refusal, standing } from './supervisor.ts';

const TRIES = 150;
const EVERY_MS = 100;

/** `hearth stop`: returns when the service has withdrawn itself. Nothing to stop is no failure. */
export async function stop(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const path = homePath(io);
  const home = await realpath(path).catch(() => path);
  const found = await standing(home, 'cli');
  if (found.is === 'refuses') throw refusal(home, found);
  if (found.is === 'absent') {
    print(io, `No service runs for ${home}.`);
    return EXIT.done;
  }
  const { pid, startedAt } = found.status;
  await found.client.stop();
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
