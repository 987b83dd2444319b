import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { findService, homeHolding } from '@hearth/service/find.ts';
import { CommandError, type Invocation } from './command.ts';
import { print } from './output.ts';
import { type Other, type Running, runningService } from './standing.ts';

const TRIES = 200;
const EVERY_MS = 100;

/** `hearth stop`: returns when the home is free. Nothing to stop is no failure. */
export async function stop(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  const { home, running } = await runningService(io);
  if (running === null) {
    print(io, `No service runs for ${home}.`);
    return EXIT.done;
  }
  await stopped(home, running, call.flag('now'));
  print(io, 'Stopped.');
  return EXIT.done;
}

/**
 * Stops a service and waits until the home is free. Turns under way get a few seconds to settle, unless it shall end
 * `now`. Rejects with `CommandError` when it does not end.
 */
export async function stopped(home: string, running: Running | Other, now = false): Promise<void> {
  const { pid } = running.is === 'answers' ? running.status : running;
  await running.client.stop({ now }).catch(error => {
    // One of another version may answer in other words; whether it stops is seen below.
    if (running.is === 'answers') throw error;
  });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { service } = await findService(home);
    // Its publication goes first and the lock last; another service may have followed already.
    if (service === null ? homeHolding(home) !== 'held' : service.pid !== pid) return;
    await new Promise(resolve => setTimeout(resolve, EVERY_MS));
  }
  throw new CommandError(
    EXIT.environment,
    'unreachable',
    `The service (process ${pid}) has not stopped yet: end the process if it hangs.`,
  );
}
