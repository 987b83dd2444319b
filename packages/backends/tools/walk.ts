import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isHidden } from './confinement.ts';

/** How many entries one walk looks at before it gives up. */
export const WALK_LIMIT = 50_000;

/** A file found: `path` to open, `name` relative to the workspace with `/`. */
export interface Found {
  readonly path: string;
  readonly name: string;
}

/**
 * The regular files under a directory, in the order of their names and each directory's own files first, without
 * following links. Directories that cannot be read are passed over. Ends early at `WALK_LIMIT` entries or when `signal` aborts.
 */
export async function* walk(path: string, name: string, signal: AbortSignal): AsyncGenerator<Found> {
  let looked = 0;
  const open: Found[] = [{ path, name }];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    const entries = await readdir(directory.path, { withFileTypes: true }).catch(() => []);
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const below: Found[] = [];
    for (const entry of entries) {
      looked += 1;
      if (signal.aborted || looked > WALK_LIMIT) return;
      if (isHidden(entry.name)) continue;
      const found = {
        path: join(directory.path, entry.name),
        name: directory.name === '' ? entry.name : `${directory.name}/${entry.name}`,
      };
      if (entry.isDirectory()) below.push(found);
      else if (entry.isFile()) yield found;
    }
    open.push(...below.toReversed());
  }
}
