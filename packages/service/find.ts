import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceFile } from '@hearth/protocol/status.ts';
import { homeLockHeld } from '@hearth/store/lock.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import { lastPort } from './last-port.ts';
import { LOOPBACK_ADDRESS } from './loopback.ts';
import { publishedService } from './service-file.ts';

/** What a home says of its service. Both may be stale; only an answer proves that it runs. */
export interface FoundService {
  readonly service: ServiceFile | null;
  readonly token: string | null;
}

/** Reads `service.json` and `token` of a home; what is missing or unreadable is `null`. */
export async function findService(home: string): Promise<FoundService> {
  const service = await publishedService(nodeDisk, home).catch(() => null);
  const token = await readFile(join(home, 'token'), 'utf8').catch(() => null);
  // An empty token could not be sent, and a header may hold no more than one line.
  return { service, token: token === null ? null : (token.trim().split(/\s/)[0] ?? '') };
}

/**
 * Who works in a home, by its lock, which no file can belie: somebody, nobody, or that cannot be seen from here, above all
 * in somebody else's home.
 */
export type Holding = 'held' | 'free' | 'unseen';

/** Whether a process holds the home's lock (docs/adr/0039). It starts nothing and never throws. */
export function homeHolding(home: string): Holding {
  try {
    return homeLockHeld(lockPath(home)) ? 'held' : 'free';
  } catch {
    return 'unseen';
  }
}

/** The process that holds the home's lock, where the system tells (Linux does); else `null`. */
export function holderOf(home: string): number | null {
  try {
    const { ino } = statSync(lockPath(home));
    const lines = readFileSync('/proc/locks', 'utf8').split('\n');
    // "1: POSIX  ADVISORY  WRITE 4711 fd:00:131074 1073741826 1073742335"
    const fields = lines.map(line => line.trim().split(/\s+/));
    const found = fields.find(([, kind, , , , file]) => kind === 'POSIX' && file?.endsWith(`:${ino}`));
    const pid = Number(found?.[4]);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** Where a service may listen that has published nothing: where the last one did. */
export async function lastAddress(home: string): Promise<string | null> {
  const port = await lastPort(nodeDisk, home);
  return port === null ? null : `http://${LOOPBACK_ADDRESS}:${port}`;
}

function lockPath(home: string): string {
  return join(home, 'lock.sqlite');
}
