import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '@hearth/protocol/exit-code.ts';
import { CommandError, type Io } from './command.ts';

/*
 * Where a surface stands: the root of the checkout around the directory in which the command was typed. That is what
 * decides where a global conversation works.
 */

const INSTALL = fileURLToPath(new URL('../../', import.meta.url));

/** The directory in which the person typed. `npm start` changes into the installation and keeps it in INIT_CWD. */
export function typedIn({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
  const ours =
    env['npm_lifecycle_event'] === 'start' && env['npm_package_json'] === join(INSTALL, 'package.json');
  return (ours ? env['INIT_CWD'] : undefined) ?? cwd;
}

/** The nearest ancestor that holds `.git`, else the directory itself; links resolved. */
export async function checkoutRoot(directory: string): Promise<string> {
  const start = await realpath(directory).catch(() => resolve(directory));
  for (let here = start; ; here = dirname(here)) {
    if ((await stat(join(here, '.git')).catch(() => null)) !== null) return here;
    if (dirname(here) === here) return start;
  }
}

/** The workspace of a call: `--workspace` as it stands, else the checkout around where it was typed. */
export async function workspaceOf(io: Io, named: string | null): Promise<string> {
  if (named === null) return checkoutRoot(typedIn(io));
  const path = resolve(typedIn(io), named);
  const info = await stat(path).catch(() => null);
  if (info?.isDirectory() === true) return realpath(path);
  throw new CommandError(
    EXIT.failed,
    'invalid_workspace',
    `The workspace ${path} is not a directory: name one that exists.`,
  );
}
