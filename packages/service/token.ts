import { randomBytes } from 'node:crypto';
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { HomeError } from './home-error.ts';

const TOKEN = /^[0-9a-f]{64}$/;

/** Replaces the bearer of a home by another one, durably. The old one is good for nothing then. */
export async function rotateToken(disk: Disk, home: string): Promise<string> {
  const token = randomBytes(32).toString('hex');
  await writeAtomic(disk, tokenPath(home), new TextEncoder().encode(`${token}\n`));
  return token;
}

function tokenPath(home: string): string {
  return join(home, 'token');
}

/** Why the file of a home's token holds none; `null` when it holds one, or there is no file yet. */
export async function tokenFault(disk: Disk, home: string): Promise<string | null> {
  const path = tokenPath(home);
  if ((await stat(path).catch(() => null))?.isDirectory() === true)
    return `The token of the home is a directory, ${path}: remove it and start again, and a new one is made.`;
  const bytes = await disk.read(path);
  if (bytes === null || TOKEN.test(tokenIn(bytes))) return null;
  return `The file ${path} holds no token: remove it and start again, and a new one is made.`;
}

function tokenIn(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).trim();
}

/** The bearer of a home: whoever can read the file owns the home. Made once, kept, mode 0600. */
export async function homeToken(disk: Disk, home: string): Promise<string> {
  const path = tokenPath(home);
  const fault = await tokenFault(disk, home);
  if (fault !== null) throw new HomeError('home_damaged', fault);
  const bytes = await disk.read(path);
  if (bytes === null) return rotateToken(disk, home);
  const info = await stat(path).catch(() => null);
  if (info !== null && (info.mode & 0o077) !== 0) await chmod(path, 0o600);
  return tokenIn(bytes);
}
