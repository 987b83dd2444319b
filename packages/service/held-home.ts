import { join } from 'node:path';
import { acquireHomeLock } from '@hearth/store/lock.ts';
import { prepareHome } from './home.ts';
import { HomeError } from './home-error.ts';

/*
 * The right to serve a home. Taking it needs next to nothing loaded: of several processes that start at once all but one
 * end here, before they have read what a service is made of.
 */

/** A home that nobody else serves until it is released, or the process ends. */
export interface HeldHome {
  /** Its real path. */
  readonly home: string;
  /** Nothing happens the second time. */
  readonly release: () => void;
}

/**
 * Takes the home at a path, which is made when it is not there. Rejects with `HomeError`: `already_running` when another
 * process serves it.
 */
export async function holdHome(path: string): Promise<HeldHome> {
  const home = await prepareHome(path);
  const lock = acquireHomeLock(join(home, 'lock.sqlite'));
  if (lock === null) throw await alreadyRunning(home);
  return { home, release: () => lock.release() };
}

async function alreadyRunning(home: string): Promise<HomeError> {
  const { publishedService } = await import('./service-file.ts');
  const { nodeDisk } = await import('@hearth/store/node-disk.ts');
  const found = await publishedService(nodeDisk, home).catch(() => null);
  const where = found === null ? '' : ` at ${found.address} (process ${found.pid})`;
  const message = `A service already serves the home ${home}${where}: use that one, or stop it with "hearth stop".`;
  return new HomeError('already_running', message, found?.address ?? null);
}
