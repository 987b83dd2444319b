import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of everything below a path. */
export function bytesIn(path: string): number {
  const info = statSync(path);
  return info.isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0)
    : info.size;
}
