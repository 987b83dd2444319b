import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Invocation, Io } from './command.ts';
import { print, printJson } from './output.ts';
import { runningService } from './standing.ts';
import { stopped } from './stop.ts';
import { connect } from './supervisor.ts';

/** `hearth restart`: the service anew, with this version of Hearth and this environment; started if none runs. */
export async function restart(call: Invocation): Promise<ExitCode> {
  const { io } = call;
  await restarted(io, call.flag('now'));
  const { version, address, pid } = await (await connect(io, 'cli')).status();
  if (call.flag('json')) printJson(io, { version, address, pid });
  else print(io, `Hearth ${version} serves at ${address} (process ${pid}).`);
  return EXIT.done;
}

/** Stops whatever service runs for the caller's home. Rejects with `CommandError` when it cannot be stopped. */
export async function restarted(io: Io, now: boolean): Promise<void> {
  const { home, running } = await runningService(io);
  if (running !== null) await stopped(home, running, now);
  await connect(io, 'cli');
}
