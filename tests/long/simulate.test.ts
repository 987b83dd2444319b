import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { progress } from '../support/progress.ts';

/*
 * The long run of the simulation, on every core: seeds that `npm test` never sees, each as long as there. It takes seeds
 * until it has had all of them or its time is over; what it came to is printed.
 */

/** How many seeds; `HEARTH_SEEDS` overrides it. */
const SEEDS = Number(process.env['HEARTH_SEEDS'] ?? 100_000);
/** The first of them; `HEARTH_SEEDS_FROM` overrides it, to go on where another run ended. */
const FROM = Number(process.env['HEARTH_SEEDS_FROM'] ?? 10_000);
const STEPS = 12;
/** Seeds for one process. */
const BATCH = 500;
/** After this no further batch is begun. */
const LIMIT_MS = 55 * 60_000;

const SCRIPT = fileURLToPath(new URL('../simulate/many-seeds.ts', import.meta.url));

/** Runs one batch in a process of its own. Rejects with what it told when a seed fails. */
function ran(from: number, count: number): Promise<void> {
  const words = [SCRIPT, String(from), String(count), String(STEPS)];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`${stdout}${stderr}`, { cause: error }));
    });
  });
}

it(`up to ${SEEDS} seeds from ${FROM} on find nothing`, async () => {
  const began = performance.now();
  const batches = Array.from({ length: Math.ceil(SEEDS / BATCH) }, (_, nth) => nth * BATCH);
  let done = 0;
  async function worker(): Promise<void> {
    for (let at = batches.shift(); at !== undefined; at = batches.shift()) {
      if (performance.now() - began > LIMIT_MS) return;
      const count = Math.min(BATCH, SEEDS - at);
      await ran(FROM + at, count).catch((thrown: unknown) => {
        // The other processes end with the batch that they have.
        batches.length = 0;
        throw thrown;
      });
      done += count;
      progress(`${done} of ${SEEDS} seeds`);
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  if (done < SEEDS) progress(`time is over; go on with HEARTH_SEEDS_FROM=${FROM + done}`);
  expect(done).toBeGreaterThan(0);
});
