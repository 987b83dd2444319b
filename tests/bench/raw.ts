import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { many } from './row.ts';

/** The times of so many appends, each of `lines` lines of 600 bytes and synced. */
export async function rawAppends(count: number, lines = 1): Promise<number[]> {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-raw-'));
  const file = openSync(join(directory, 'log'), 'a');
  const text = `${'x'.repeat(600)}\n`.repeat(lines);
  const times = await many(count, () => {
    writeSync(file, text);
    fdatasyncSync(file);
  });
  closeSync(file);
  rmSync(directory, { recursive: true });
  return times;
}
