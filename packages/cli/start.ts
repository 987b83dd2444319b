import type { ExitCode } from '@hearth/protocol/exit-code.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import type { Invocation } from './command.ts';
import { homePath } from './home-path.ts';
import { openConsole } from './open.ts';
import { print } from './output.ts';
import { serveHere } from './serve.ts';
import { standing } from './supervisor.ts';
import { realpath } from 'node:fs/promises';

/** `hearth`: the console where there is a terminal, else the service in this process. */
export async function start(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  if (io.stdin.isTTY === true && io.stdout.isTTY === true) {
    return openConsole(call, call.option('conversation'));
  }
  const path = homePath(io);
  const found = await standing(await realpath(path).catch(() => path), 'cli');
  if (found.is !== 'answers') return serveHere(io, null);
  print(io, `Hearth serves at ${found.status.address} already (process ${found.status.pid}).`);
  return EXIT.done;
}
