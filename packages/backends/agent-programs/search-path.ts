import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where a program is: by its absolute path, or by its name on the search path. `null` when it is not there. */
export function findProgram(name: string, searchPath: string | undefined): string | null {
  if (isAbsolute(name)) return runs(name) ? name : null;
  const found = (searchPath ?? '')
    .split(delimiter)
    .filter(directory => isAbsolute(directory))
    .map(directory => join(directory, name))
    .find(runs);
  return found ?? null;
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
