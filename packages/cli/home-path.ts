import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Io } from './command.ts';

/** The home that the environment names: `HEARTH_HOME`, else `~/.hearth`; absolute. */
export function homePath({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
  const named = env['HEARTH_HOME'];
  return named === undefined || named.trim() === '' ? join(homedir(), '.hearth') : resolve(cwd, named);
}
