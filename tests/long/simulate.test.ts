import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { progress } from '../support/progress.ts';

/*
 * The long run of the simulation, on every core: seeds that `npm test` never sees, each as long as there. All of them must
 * be had: it is green when every one was run, or when the person who started it gave it a number or a time of their own.
 */

/**
 * How many seeds; `HEARTH_SEEDS` overrides it. They take about twenty minutes on two cores that do nothing else (50 to
 * 60 ms of a core for each); `HEARTH_SEEDS=100000` is for a night.
 */
const SEEDS = Number(process.env['HEARTH_SEEDS'] ?? 40_000);
/** The first of them; `HEARTH_SEEDS_FROM` overrides it, to go on where another run ended. */
const FROM = Number(process.env['HEARTH_SEEDS_FROM'] ?? 10_000);
/** Minutes after which no further batch is begun, as `HEARTH_MINUTES` says. */
const MINUTES = Number(process.env['HEARTH_MINUTES'] ?? Number.POSITIVE_INFINITY);
const STEPS = 12;
/** Seeds for one process. */
const BATCH = 500;
/** Only a guard against hanging: a machine that is busy with other things takes several times as long. */
const TIMEOUT = 6 * 3_600_000;

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

it(`${SEEDS} seeds from ${FROM} on find nothing`, { timeout: TIMEOUT }, async () => {
  const began = performance.now();
  const batches = Array.from({ length: Math.ceil(SEEDS / BATCH) }, (_, nth) => nth * BATCH);
  let done = 0;
  async function worker(): Promise<void> {
    for (let at = batches.shift(); at !== undefined; at = batches.shift()) {
      const count = Math.min(BATCH, SEEDS - at);
      await ran(FROM + at, count).catch((thrown: unknown) => {
        // The other processes end with the batch that they have.
        batches.length = 0;
        throw thrown;
      });
      done += count;
      progress(`${done} of ${SEEDS} seeds`);
      if (performance.now() - began > MINUTES * 60_000) batches.length = 0;
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  progress(`${done} of ${SEEDS} seeds were run, in ${minutes} minutes`);
  if (done < SEEDS) progress(`go on with HEARTH_SEEDS_FROM=${FROM + done}`);
  expect(done).toBeGreaterThan(0);
  if (MINUTES === Number.POSITIVE_INFINITY) expect(done).toBe(SEEDS);
});
