import type { HearthClient } from '@hearth/client/http.ts';
import { stopped } from '@hearth/client/problem.ts';
import { homeHolding } from '@hearth/service/find.ts';
import { prepareHome } from '@hearth/service/home.ts';
import { CommandError, type Io } from './command.ts';
import { exitOf } from './errors.ts';
import { homePath } from './home-path.ts';
import { ANSWER_MS, hidden, mismatch, refusal, silence, type Standing, standing } from './standing.ts';

/*
 * Finds the home's service, or starts it. Guarantees: whoever gets a client talks to a service that answered for this
 * home and this token; when several start one at once, the lock lets one through and the others attach to it; a service
 * that somebody stopped is started again only by a command or by what a person does.
 */

const LOOK_EVERY_MS = 100;
/** Looks for the service that holds the lock, before it is given up. */
const LOOKS = 200;
/** Looks before another start is tried: whoever holds the lock may be on its way down as well as up. */
const LOOKS_BETWEEN_STARTS = 10;

/** A client of the home's service, started if need be. Rejects with `HomeError` or `CommandError`. */
export async function connect(io: Io, surface: string): Promise<HearthClient> {
  const home = await prepareHome(homePath(io));
  let found = await standing(home, surface);
  for (let looks = 0; found.is !== 'answers' && looks < LOOKS; ) {
    if (found.is === 'other') throw mismatch(found);
    // Only the lock is proof that a service runs, so it decides whatever the last one left behind.
    const held = homeHolding(home) === 'held';
    if (!held) await started(home, io);
    for (let round = 0; round < LOOKS_BETWEEN_STARTS && looks < LOOKS; round += 1) {
      found = await standing(home, surface);
      if (found.is === 'answers' || found.is === 'other') break;
      if (found.is === 'refuses') throw refusal(home, found);
      looks += found.is === 'silent' ? ANSWER_MS / LOOK_EVERY_MS : 1;
      await new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS));
      // Whoever held it was on its way down.
      if (held && homeHolding(home) === 'free') break;
    }
  }
  if (found.is === 'answers') return found.client;
  throw unreachable(home, found);
}

/** Starts the home's service, or finds that somebody else just did. Rejects with `CommandError`. */
async function started(home: string, io: Io): Promise<void> {
  const { startDetached } = await import('./launch.ts');
  const became = await startDetached(home, io);
  if (became.is === 'failed' && became.code !== 'already_running')
    throw new CommandError(exitOf(became.code), became.code, became.message);
}

function unreachable(home: string, found: Standing): CommandError {
  if (found.is === 'other') return mismatch(found);
  return found.is === 'silent' ? silence(found) : hidden(home);
}

/**
 * A client again, for a surface that had one: a service that died is started, one that was stopped is not. Rejects with a
 * `HearthProblem` of the code `stopped` then; with `HomeError` or `CommandError` when there is no talking to it.
 */
export async function reconnect(io: Io, surface: string): Promise<HearthClient> {
  const home = await prepareHome(homePath(io));
  const found = await standing(home, surface);
  switch (found.is) {
    case 'answers':
      return found.client;
    case 'died':
      return connect(io, surface);
    case 'absent':
      throw stopped();
    case 'other':
      throw mismatch(found);
    case 'refuses':
      throw refusal(home, found);
    case 'silent':
      throw silence(found);
  }
}
