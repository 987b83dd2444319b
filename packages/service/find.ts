import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceFile } from '@hearth/protocol/status.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
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
