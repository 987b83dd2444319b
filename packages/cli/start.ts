import type { ExitCode } from '@hearth/protocol/exit-code.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { openConsole } from './open.ts';
import { print } from './output.ts';
import { serveHere } from './serve.ts';
import { mismatch, runningService } from './standing.ts';

/** `hearth`: the console where there is a terminal, else the service in this process. */
export async function start(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  if (io.stdin.isTTY === true && io.stdout.isTTY === true) {
    return openConsole(call, call.option('conversation'));
  }
  const { running } = await runningService(io);
  if (running === null) return serveHere(io, null);
  if (running.is === 'other') throw mismatch(running);
  print(io, `Hearth serves at ${running.status.address} already (process ${running.status.pid}).`);
  return EXIT.done;
}
