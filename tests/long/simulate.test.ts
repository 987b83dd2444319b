import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { progress } from '../support/progress.ts';

/*
 * The long run of the simulation, on every core: seeds that `npm test` never sees, each as long as there. All of them must
 * be had: it is green when every one was run, or when the person who started it gave it a number or a time of their own.
 */

/**
 * How many seeds; `HEARTH_SEEDS` overrides it. They take about 22 minutes on two cores that do nothing else: some 26 ms of
 * a core for each, once a process is warm.
 */
const SEEDS = Number(process.env['HEARTH_SEEDS'] ?? 100_000);
/** The first of them; `HEARTH_SEEDS_FROM` overrides it, to go on where another run ended. */
const FROM = Number(process.env['HEARTH_SEEDS_FROM'] ?? 10_000);
/** Minutes after which no further batch is begun, as `HEARTH_MINUTES` says. */
const MINUTES = Number(process.env['HEARTH_MINUTES'] ?? Number.POSITIVE_INFINITY);
const STEPS = 12;
/** Seeds that a process is given at once. */
const BATCH = 500;
/** Only a guard against hanging: a machine that is busy with other things takes several times as long. */
const TIMEOUT = 6 * 3_600_000;

/** What a batch told: `null` when it found nothing. */
const Failure = z.string().nullable();

const SCRIPT = fileURLToPath(new URL('../simulate/many-seeds.ts', import.meta.url));

/** One process that runs batches one after another: a new one for each would spend a third of its time on getting warm. */
class Player {
  readonly #child = fork(SCRIPT, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

  /** Runs a batch. Rejects with what it told when a seed fails, or when the process ends before. */
  async play(from: number, count: number): Promise<void> {
    const ended = new AbortController();
    const { signal } = ended;
    const told = once(this.#child, 'message', { signal }).then(([message]) => Failure.parse(message));
    const gone = once(this.#child, 'exit', { signal }).then(
      ([code]) => `The process of the seeds from ${from} on ended with ${String(code)}.`,
    );
    this.#child.send([from, count, STEPS]);
    const failure = await Promise.race([told, gone]);
    for (const rest of [told, gone]) rest.catch(() => undefined);
    ended.abort();
    if (failure !== null) throw new Error(failure);
  }

  end(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

it(`${SEEDS} seeds from ${FROM} on find nothing`, { timeout: TIMEOUT }, async () => {
  const began = performance.now();
  const batches = Array.from({ length: Math.ceil(SEEDS / BATCH) }, (_, nth) => nth * BATCH);
  let done = 0;
  async function worker(): Promise<void> {
    const player = new Player();
    try {
      for (let at = batches.shift(); at !== undefined; at = batches.shift()) {
        const count = Math.min(BATCH, SEEDS - at);
        await player.play(FROM + at, count);
        done += count;
        progress(`${done} of ${SEEDS} seeds`);
        if (performance.now() - began > MINUTES * 60_000) batches.length = 0;
      }
    } finally {
      // After a failure the other processes end with the batch that they have.
      if (done < SEEDS) batches.length = 0;
      player.end();
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: availableParallelism() }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  progress(`${done} of ${SEEDS} seeds were run, in ${minutes} minutes`);
  if (done < SEEDS) progress(`go on with HEARTH_SEEDS_FROM=${FROM + done}`);
  expect(done).toBeGreaterThan(0);
  if (MINUTES === Number.POSITIVE_INFINITY) expect(done).toBe(SEEDS);
});
