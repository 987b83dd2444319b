import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Closes what a program left in a directory to everybody but its owner, as all of a home is. Links are left alone, and so is
 * what goes away meanwhile. Rejects for nothing.
 */
export async function closeToOthers(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const mode = entry.isDirectory() ? 0o700 : entry.isFile() ? 0o600 : null;
    if (mode !== null) await chmod(join(entry.parentPath, entry.name), mode).catch(() => undefined);
  }
}
