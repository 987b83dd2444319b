import { realpath, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { HearthClient } from '@hearth/client/http.ts';
import { asProblem } from '@hearth/client/problem.ts';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import type { ServiceStatus } from '@hearth/protocol/status.ts';
import { findService, holderOf, homeHolding, lastAddress } from '@hearth/service/find.ts';
import { VERSION } from '@hearth/service/version.ts';
import { CommandError, type Io } from './command.ts';
import { commandClient } from './command-client.ts';
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

/** A service of this version that answers. */
export type Running = {
  readonly is: 'answers';
  readonly client: HearthClient;
  readonly status: ServiceStatus;
};
/** A service of another version, whose answers this one need not understand. */
export type Other = {
  readonly is: 'other';
  readonly client: HearthClient;
  readonly version: string;
} & Published;
/** How things stand. Only `answers` can be worked with. */
export type Standing =
  | Running
  | Other
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

/**
 * Asks the service of a home, a real path, how it is; one that says nothing for `patience` ms does not answer. Where
 * nothing is published although somebody works in the home, it asks where the last service listened.
 */
export async function standing(home: string, surface: string, patience = ANSWER_MS): Promise<Standing> {
  const { service, token } = await findService(home);
  const address = service?.address ?? (homeHolding(home) === 'held' ? await lastAddress(home) : null);
  if (address === null) return { is: 'absent' };
  const client = commandClient({
    address,
    ...(token === null ? {} : { token }),
    surface,
    name: personName(),
  });
  try {
    const status = await client.status({ signal: AbortSignal.timeout(patience) });
    // Where another home's service listens, ours does not any more.
    if (status.home !== home) return { is: 'died' };
    const { version, pid } = status;
    return version === VERSION
      ? { is: 'answers', client, status }
      : { is: 'other', client, version, address, pid };
  } catch (error) {
    if (service === null) return { is: 'absent' };
    const { pid, version } = service;
    if (!isAlive(pid) || isNobodyThere(error)) return { is: 'died' };
    const { code } = asProblem(error);
    if (code === 'unreadable_answer' && version !== VERSION)
      return { is: 'other', client, version, address, pid };
    return { is: code === 'unauthorized' ? 'refuses' : 'silent', address, pid };
  }
}

/** The service of the caller's home; `null` when none runs. Rejects with `CommandError` when it cannot be talked to. */
export async function runningService(
  io: Io,
): Promise<{ readonly home: string; readonly running: Running | Other | null }> {
  const path = homePath(io);
  const home = await realpath(path).catch(() => path);
  const found = await standing(home, 'cli');
  switch (found.is) {
    case 'refuses':
      throw refusal(home, found);
    case 'silent':
      throw silence(found);
    case 'answers':
    case 'other':
      return { home, running: found };
    case 'died':
    case 'absent':
      await checkFree(home);
      return { home, running: null };
  }
}

/** Rejects unless nobody works in the home, which only its lock can tell. */
async function checkFree(home: string): Promise<void> {
  const holding = homeHolding(home);
  if (holding === 'free') return;
  if (holding === 'held') throw hidden(home);
  const owner = await stat(home).catch(() => null);
  if (owner !== null && owner.uid !== process.getuid?.()) {
    const message = `The home ${home} belongs to another user (uid ${owner.uid}), and only that user can see whether a service runs there: name a home of your own in HEARTH_HOME.`;
    throw new CommandError(EXIT.environment, 'not_yours', message);
  }
  const message = `Whether a service runs for the home ${home} cannot be seen, since its lock cannot be read: check the permissions of the home.`;
  throw new CommandError(EXIT.environment, 'no_permission', message);
}

/** What to say when somebody works in the home and nothing tells where to ask. */
export function hidden(home: string): CommandError {
  const pid = holderOf(home);
  const who = pid === null ? 'A process' : `The process ${pid}`;
  const message = `${who} works in the home ${home} and cannot be reached: it is starting or stopping, or its file service.json was removed. Try again in a moment; if that changes nothing, end the process and start again.`;
  return new CommandError(EXIT.environment, 'unreachable', message);
}

/** What to say when the service is of another version than this program. */
export function mismatch({ version, address }: Pick<Other, 'version' | 'address'>): CommandError {
  const message = `The service at ${address} is Hearth ${version} and this is Hearth ${VERSION}: run "hearth restart", which stops the one and starts the other.`;
  return new CommandError(EXIT.environment, 'version_mismatch', message);
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
