import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A new empty directory, by its real path; `removeTemps` takes it away. */
export function tempDirectory(name: string): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `hearth-${name}-`)));
  made.push(path);
  return path;
}

/** Removes every directory made so far. */
export function removeTemps(): void {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
}
