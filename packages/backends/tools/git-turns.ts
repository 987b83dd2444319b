import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * A file `commondir` tells git to take the configuration from another directory. Git makes none in the directory of a
 * repository itself; where there is none, nothing can be mounted over it, so that a command in a room can make one. It is
 * removed when the command has ended.
 */

/** Does some work, and removes such a file where the work has made one. Rejects as the work does. */
export async function leavingNoTurn<Made>(
  repositories: readonly string[],
  work: () => Promise<Made>,
): Promise<Made> {
  const absent: string[] = [];
  for (const repository of repositories) {
    const path = join(repository, 'commondir');
    if ((await isThere(join(repository, 'HEAD'))) && !(await isThere(path))) absent.push(path);
  }
  try {
    return await work();
  } finally {
    for (const path of absent) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
