import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import { type Invocation, type Io, UsageError } from './command.ts';
import { homePath } from './home-path.ts';
import { print } from './output.ts';

/** `hearth serve`: the service in this process, until it is stopped or interrupted. */
export async function serve(call: Invocation): Promise<ExitCode> {
  return serveHere(call.io, portNamed(call.option('port')));
}

/** Runs the service here and prints where it listens. Rejects with `HomeError` when it cannot. */
export async function serveHere(io: Io, port: number | null): Promise<ExitCode> {
  const { startService } = await import('@hearth/service/main.ts');
  const service = await startService({ home: homePath(io), env: io.env, ...(port === null ? {} : { port }) });
  const stop = (): void => void service.stop();
  process.on('SIGTERM', stop);
  io.interrupted.addEventListener('abort', stop, { once: true });
  if (io.interrupted.aborted) stop();
  print(io, `Hearth serves at ${service.address}`);
  await service.closed;
  process.off('SIGTERM', stop);
  return EXIT.done;
}

/** The port that was asked for; `null` leaves the choice to the system. Throws `UsageError`. */
export function portNamed(text: string | null): number | null {
  if (text === null) return null;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`"${text}" is no port: --port takes a number from 0 to 65535.`);
}
