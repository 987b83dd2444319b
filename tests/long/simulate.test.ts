import { expect, it } from 'vitest';
import { simulateAll } from '../simulate/seeds.ts';

/* The long run of the simulation: longer lives, and seeds that `npm test` never sees. */

const SEEDS = 100_000;
const BATCH = 1000;

it.each(Array.from({ length: SEEDS / BATCH }, (_, batch) => 10_000 + batch * BATCH))(
  'the seeds from %i on find nothing',
  async from => {
    expect((await simulateAll(from, BATCH, 30)).seeds).toBe(BATCH);
  },
);
