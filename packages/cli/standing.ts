import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { HearthClient } from '@hearth/client/http.ts';
import { asProblem } from '@hearth/client/problem.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import type { ServiceFile, ServiceStatus } from '@hearth/protocol/status.ts';
import { findService } from '@hearth/service/find.ts';
import { CommandError, type Io } from './command.ts';
import { homePath } from './home-path.ts';

/*
 * How a home's service stands, seen from outside; looking starts nothing. A service publishes itself last when it starts
 * and takes that back first when it is stopped, so what is still published by nobody has died.
 */

/** Where a service that cannot be talked to was published. */
export interface Published {
  readonly address: string;
  readonly pid: number;
}

export type Running = {
  readonly is: 'answers';
  readonly client: HearthClient;
  readonly status: ServiceStatus;
};
export type Standing =
  | Running
  /** It answers, and refuses the token of the home. */
  | ({ readonly is: 'refuses' } & Published)
  /** Its process lives and does not answer in time. */
  | ({ readonly is: 'silent' } & Published)
  /** It ended without taking its publication back. */
  | { readonly is: 'died' }
  /** It was stopped, or there never was one. */
  | { readonly is: 'absent' };

/** Milliseconds in which a service says how it is. */
export const ANSWER_MS = 3000;

/** Asks the published service of a home, a real path, how it is; one that says nothing for `patience` ms does not answer. */
export async function standing(home: string, surface: string, patience = ANSWER_MS): Promise<Standing> {
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
    const status = await client.status({ signal: AbortSignal.timeout(patience) });
    // Where another home's service listens, ours does not any more.
    return status.home === home ? { is: 'answers', client, status } : { is: 'died' };
  } catch (error) {
    return withoutAnswer(service, error);
  }
}

function withoutAnswer({ address, pid }: ServiceFile, error: unknown): Standing {
  if (!isAlive(pid) || isNobodyThere(error)) return { is: 'died' };
  return { is: asProblem(error).code === 'unauthorized' ? 'refuses' : 'silent', address, pid };
}

/** The service of the caller's home, `null` when none runs. Rejects with `CommandError` when it cannot be talked to. */
export async function runningService(
  io: Io,
): Promise<{ readonly home: string; readonly running: Running | null }> {
  const path = homePath(io);
  const home = await realpath(path).catch(() => path);
  const found = await standing(home, 'cli');
  if (found.is === 'refuses') throw refusal(home, found);
  if (found.is === 'silent') throw silence(found);
  return { home, running: found.is === 'answers' ? found : null };
}

/** What to say when the token on the disk is not the one that the service was started with. */
export function refusal(home: string, { address, pid }: Published): CommandError {
  const message = `The service at ${address} (process ${pid}) does not accept the token in ${join(home, 'token')}: restore that file, or end the process and start again.`;
  return new CommandError(EXIT.environment, 'wrong_token', message);
}

/** What to say when the service lives and does not answer. */
export function silence({ address, pid }: Published): CommandError {
  const message = `The service at ${address} (process ${pid}) does not answer: try again in a moment, or end that process if it hangs.`;
  return new CommandError(EXIT.environment, 'unreachable', message);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process lives, too.
    return codeOf(error) === 'EPERM';
  }
}

/** Whether no process listens at the address; one that merely hangs would have been connected to. */
function isNobodyThere(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (codeOf(at) === 'ECONNREFUSED') return true;
  return false;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

function personName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'person';
  }
}
