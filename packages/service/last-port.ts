import { join } from 'node:path';
import { readJson, writeJson } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { z } from 'zod';

/*
 * The port at which a home was served last. A page that is open in a browser knows no other address, so the next
 * service takes the same one if it is free, and the page goes on as if nothing had been. Advice, nothing more: what
 * cannot be read or written is left out.
 */

const Remembered = z.object({ port: z.int().min(1).max(65_535) });

function pathIn(home: string): string {
  return join(home, 'surfaces', 'studio.json');
}

/** `null` when the home was never served, or nothing readable is left of it. */
export async function lastPort(disk: Disk, home: string): Promise<number | null> {
  const found = await readJson(disk, pathIn(home), Remembered).catch(() => null);
  return found?.port ?? null;
}

/** Notes the port for next time. Never rejects. */
export async function rememberPort(disk: Disk, home: string, port: number): Promise<void> {
  try {
    if ((await lastPort(disk, home)) === port) return;
    await disk.makeDirectory(join(home, 'surfaces'));
    await writeJson(disk, pathIn(home), { port });
  } catch {
    // The next service takes another port, and an open page has to be opened anew.
  }
}
