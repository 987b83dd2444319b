import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HearthClient } from '@hearth/client/http.ts';
import { asProblem } from '@hearth/client/problem.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import type { ServiceStatus } from '@hearth/protocol/status.ts';
import { findService } from '@hearth/service/find.ts';
import { prepareHome } from '@hearth/service/home.ts';
import { CommandError, type Io } from './command.ts';
import { exitOf } from './errors.ts';
import { homePath } from './home-path.ts';
import { StartMessage } from './start-message.ts';

/*
 * Finds the home's service, or starts it. Guarantees: whoever gets a client talks to a service that answered for this
 * home and this token; when several start one at once, the lock lets one through and the others attach to it; the
 * service outlives its starter.
 */

/** How the home's service stands, seen from outside. */
export type Standing =
  | { readonly is: 'answers'; readonly client: HearthClient; readonly status: ServiceStatus }
  /** Something answers at the published address, and refuses the token of the home. */
  | { readonly is: 'refuses'; readonly address: string; readonly pid: number }
  | { readonly is: 'absent' };

const ANSWER_MS = 3000;
const ATTACH_TRIES = 100;
const ATTACH_EVERY_MS = 100;

/** Asks the published service how it is; never starts one. */
export async function standing(home: string, surface: string): Promise<Standing> {
  const { service, token } = await findService(home);
  if (service === null) return { is: 'absent' };
  const client = new HearthClient({
    address: service.address,
    ...(token === null ? {} : { token }),
    surface,
    name: personName(),
    newCommandId: randomUUID,
  });
  try {
    const status = await client.status({ signal: AbortSignal.timeout(ANSWER_MS) });
    return status.home === home ? { is: 'answers', client, status } : { is: 'absent' };
  } catch (error) {
    return asProblem(error).code === 'unauthorized'
      ? { is: 'refuses', address: service.address, pid: service.pid }
      : { is: 'absent' };
  }
}

/** A client of the home's service, started if need be. Rejects with `HomeError` or `CommandError`. */
export async function connect(io: Io, surface: string): Promise<HearthClient> {
  const home = await prepareHome(homePath(io));
  const now = await standing(home, surface);
  if (now.is === 'answers') return now.client;
  const started = await startDetached(home, io);
  if (started.is === 'failed' && started.code !== 'already_running') {
    throw new CommandError(exitOf(started.code), started.code, started.message);
  }
  return attach(home, surface);
}

/** Waits for the service that holds the lock: it may still be on its way up. */
async function attach(home: string, surface: string): Promise<HearthClient> {
  let last: Standing = { is: 'absent' };
  for (let tries = 0; tries < ATTACH_TRIES; tries += 1) {
    last = await standing(home, surface);
    if (last.is === 'answers') return last.client;
    if (last.is === 'refuses') break;
    await new Promise(resolve => setTimeout(resolve, ATTACH_EVERY_MS));
  }
  if (last.is === 'refuses') throw refusal(home, last);
  const { service } = await findService(home);
  const who = service === null ? 'A process' : `The process ${service.pid}`;
  throw new CommandError(
    EXIT.environment,
    'unreachable',
    `${who} holds the home ${home} and does not answer: end it and try again.`,
  );
}

/** What to say when the token on the disk is not the one that the service was started with. */
export function refusal(
  home: string,
  found: { readonly address: string; readonly pid: number },
): CommandError {
  const message = `The service at ${found.address} (process ${found.pid}) does not accept the token in ${join(home, 'token')}: restore that file, or end the process and start again.`;
  return new CommandError(EXIT.environment, 'wrong_token', message);
}

async function startDetached(home: string, io: Io): Promise<StartMessage> {
  const logs = join(home, 'logs');
  await mkdir(logs, { recursive: true, mode: 0o700 });
  const path = join(logs, 'start.log');
  const log = await open(path, 'w', 0o600);
  try {
    const entry = fileURLToPath(new URL('./serve-entry.ts', import.meta.url));
    const child = spawn(process.execPath, [entry, home], {
      cwd: home,
      detached: true,
      env: { ...io.env },
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
    });
    const message = await firstMessage(child, path);
    if (child.connected) child.disconnect();
    child.unref();
    return message;
  } finally {
    await log.close();
  }
}

function firstMessage(child: ChildProcess, log: string): Promise<StartMessage> {
  return new Promise(resolve => {
    const failed = (): void => {
      resolve({
        is: 'failed',
        code: 'disk_failed',
        message: `The service could not start; ${log} says why.`,
      });
    };
    child.once('error', failed);
    child.once('exit', failed);
    child.on('message', (value: unknown) => {
      const message = StartMessage.safeParse(value);
      if (message.success) resolve(message.data);
    });
  });
}

function personName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'person';
  }
}
