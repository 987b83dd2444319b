import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openEnvironment } from '../tools/process.ts';

/** How long a program may take to say its version, in milliseconds. */
const PATIENCE_MS = 15_000;

/**
 * What a program says of its version, by the first group of `form`; `null` when it does not say one. `env` is added to its
 * environment. Never rejects.
 */
export async function versionOf(
  path: string,
  form: RegExp,
  env: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], {
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
      env: { ...openEnvironment(), ...env },
      maxBuffer: 64 * 1024,
    });
    return form.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Whether a version such as `2.1.328` is `oldest` or newer. */
export function isNewEnough(version: string, oldest: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  const differs = oldest.findIndex((wanted, at) => parts[at] !== wanted);
  return differs < 0 || (parts[differs] ?? 0) > (oldest[differs] ?? 0);
}
