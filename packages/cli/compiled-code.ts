/**
 * What Node has compiled of Hearth, kept in the home from one start to the next: a start then need not compile it again.
 *
 * - It is a cache. It may be deleted at any time, and where it cannot be read or kept a start only takes longer.
 * - What is in it is run, so it is used only where nobody but the home's owner can have written it.
 */
import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/** Where a home keeps it. */
const CODE = 'code';

/** Whether nobody but this user can change what is in a directory; `false` where there is none. */
function own(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return false;
  return found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}

/** Node makes a directory for each of its versions as soon as one uses the place, and leaves it to the umask who may look into it. */
function closeToOthers(code: string): void {
  for (const version of readdirSync(code)) chmodSync(join(code, version), 0o700);
}

/** Whatever is loaded from now on is taken from the home at this path, or kept there. To be called once, before it is loaded. */
export function useCompiled(path: string): void {
  try {
    const home = realpathSync(path);
    const code = join(home, CODE);
    if (!own(home) || !own(code)) return;
    enableCompileCache(code);
    closeToOthers(code);
  } catch {
    // Then it is compiled again.
  }
}

/**
 * Writes down what was compiled since, so that the next start has it however this process ends. In a home where nothing
 * was kept yet, it makes the place for it: what is started once has no use for more.
 */
export function keepCompiled(home: string): void {
  try {
    const code = join(home, CODE);
    if (!own(home)) return;
    if (lstatSync(code, { throwIfNoEntry: false }) === undefined) mkdirSync(code, { mode: 0o700 });
    if (!own(code)) return;
    flushCompileCache();
    closeToOthers(code);
  } catch {
    // Then the next start takes as long as this one.
  }
}
