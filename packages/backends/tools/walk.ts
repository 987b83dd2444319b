import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isClosed, isHidden, type Place } from './confinement.ts';
import { DIRECTORY, openHeld, within } from './held.ts';

/** How many entries one walk looks at before it gives up. */
export const WALK_LIMIT = 50_000;

/** A file found: `path` to open, `name` relative to the workspace with `/`. */
export interface Found {
  readonly path: string;
  readonly name: string;
}

/**
 * The regular files under a directory, in the order of their names and each directory's own files first, without
 * following links. Directories that cannot be read, or are closed, are passed over. Ends early at `WALK_LIMIT` entries or
 * when the signal aborts.
 */
export async function* walk(
  root: Found,
  { workspace, closed = [] }: Place,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  let looked = 0;
  const open: Found[] = [root];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    const entries = await entriesOf(directory.path).catch(() => []);
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
      if (isClosed(closed, workspace, found.path)) continue;
      if (entry.isDirectory()) below.push(found);
      else if (entry.isFile()) yield found;
    }
    open.push(...below.toReversed());
  }
}

async function entriesOf(path: string): Promise<Dirent[]> {
  await using handle = await openHeld(path, DIRECTORY);
  return await readdir(within(handle, path, '.'), { withFileTypes: true });
}
