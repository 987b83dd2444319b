import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_DIRECTORY } from './environment.ts';

/*
 * The program's sessions in the turn's directory: one file each, in a directory for each place that it worked in. The
 * program writes them to the real disk, so they are read from there and not through a port; they are never written here.
 */

/** An id as the program makes them; anything else names no file. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a session holds; `null` when there is no such session. */
export interface KeptSession {
  /** Whether words of this id have been read into it. */
  readonly holds: (id: string) => boolean;
}

/**
 * The session of an id below the turn's directory; `null` also for what is no id of the program's. Never rejects for
 * a file that is gone.
 */
export async function keptSession(directory: string, id: string): Promise<KeptSession | null> {
  if (!ID.test(id)) return null;
  const projects = join(directory, OWN_DIRECTORY, 'projects');
  const places = await readdir(projects).catch(() => []);
  const files = await Promise.all(
    places.map(place => readFile(join(projects, place, `${id}.jsonl`), 'utf8').catch(() => null)),
  );
  const found = files.filter(text => text !== null);
  if (found.every(text => text.trim() === '')) return null;
  return { holds: words => found.some(text => text.includes(`"${words}"`)) };
}
