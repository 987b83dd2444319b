import { EXIT, type ExitCode } from '@hearth/protocol/exit-code.ts';
import type { Service } from '@hearth/service/service.ts';
import { CommandError, type Invocation, type Io, UsageError } from './command.ts';
import { homePath } from './home-path.ts';
import { print } from './output.ts';

const ENDING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** `hearth serve`: the service in this process, until it is stopped or interrupted. */
export async function serve(call: Invocation): Promise<ExitCode> {
  checkHost(call.option('host'));
  return serveHere(call.io, portNamed(call.option('port')));
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

/** A service that others can reach needs more than one token; until there is that, it is refused. */
function checkHost(host: string | null): void {
  if (host === null || LOOPBACK.has(host)) return;
  throw new CommandError(
    EXIT.failed,
    'not_supported',
    `This version listens on loopback only (127.0.0.1), and not on ${host}: reach it from elsewhere through a tunnel, such as "ssh -L".`,
  );
}

/** Runs the service here and prints where it listens. Rejects with `HomeError` when it cannot. */
export async function serveHere(io: Io, port: number | null): Promise<ExitCode> {
  const { SETTLE_MS, startService } = await import('@hearth/service/main.ts');
  const given = port === null ? {} : { port };
  const service = await startService({ home: homePath(io), env: io.env, settleMs: SETTLE_MS, ...given });
  const unlisten = stopAtSignals(service);
  const stop = (): void => void service.stop();
  io.interrupted.addEventListener('abort', stop, { once: true });
  if (io.interrupted.aborted) stop();
  print(io, `Hearth serves at ${service.address}`);
  await service.closed;
  unlisten();
  return EXIT.done;
}

/**
 * Stops the service at every signal that ends a process; a second one ends the wait for turns. A terminal that is closed
 * sends SIGHUP, and what a service has published must not outlive it. The result ends that.
 */
export function stopAtSignals(service: Pick<Service, 'stop'>): () => void {
  let asked = 0;
  const stop = (): void => {
    asked += 1;
    void service.stop({ now: asked > 1 });
  };
  for (const signal of ENDING) process.on(signal, stop);
  return () => {
    for (const signal of ENDING) process.off(signal, stop);
  };
}

/** The port that was asked for; `null` leaves the choice to the system. Throws `UsageError`. */
export function portNamed(text: string | null): number | null {
  if (text === null) return null;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`"${text}" is no port: --port takes a number from 0 to 65535.`);
}
