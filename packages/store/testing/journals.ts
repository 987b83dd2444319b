import { expect } from 'vitest';
import { z } from 'zod';
import { Journal, type OpenedJournal } from '../journal.ts';
import { SimDisk } from '../sim-disk.ts';

/* For tests: a journal of numbered lines on a simulated disk. */

export const Line = z.object({ n: z.int(), text: z.string() });
export type Line = z.infer<typeof Line>;

export const PATH = '/d/journal.1.jsonl';
export const line = (n: number): Line => ({ n, text: `line ${n} ü` });
export const linesTo = (count: number): Line[] =>
  Array.from({ length: count }, (_, index) => line(index + 1));

export async function ground(): Promise<SimDisk> {
  const disk = new SimDisk();
  await disk.makeDirectory('/d');
  return disk.crash({ seed: 1 });
}

export function open(disk: SimDisk, quarantined: Uint8Array[] = []): Promise<OpenedJournal<Line>> {
  return Journal.open(disk, PATH, {
    schema: Line,
    after: 0,
    quarantine: async bytes => {
      quarantined.push(bytes);
    },
  });
}

/** A disk with a durable journal of `count` lines. */
export async function written(count: number): Promise<SimDisk> {
  const disk = await ground();
  const { journal } = await open(disk);
  for (const next of linesTo(count)) await journal.append(next);
  await journal.close();
  return disk;
}

export async function bytesIn(disk: SimDisk): Promise<Uint8Array> {
  return (await disk.read(PATH)) ?? new Uint8Array();
}

/** Both what was acknowledged and what is only tolerated: a beginning of what was appended, whole and in order. */
export function expectBeginning(lines: readonly Line[], acknowledged: number, appended: number): void {
  expect(lines).toEqual(linesTo(lines.length));
  expect(lines.length).toBeGreaterThanOrEqual(acknowledged);
  expect(lines.length).toBeLessThanOrEqual(appended);
}
