/*
 * Runs stretches of seeds in a process of its own: `node tests/simulate/many-seeds.ts FROM COUNT STEPS` runs one; a process
 * that was forked runs those that it is sent, one after another, and answers each with `null`, or with what the first seed
 * that fails told: its trace and the command that replays it.
 */
import { z } from 'zod';
import { removeTemps } from '../support/temp.ts';
import { simulateAll, type Totals } from './seeds.ts';

const Stretch = z.tuple([z.int(), z.int(), z.int()]);

/** Runs one stretch; `null` with its totals, or what the first seed that fails told. */
async function ran(
  from: number,
  count: number,
  steps: number,
): Promise<{ readonly totals: Totals | null; readonly told: string | null }> {
  try {
    return { totals: await simulateAll(from, count, steps), told: null };
  } catch (thrown) {
    return { totals: null, told: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

const send = process.send?.bind(process);
if (send === undefined) {
  const [from = 1, count = 100, steps = 12] = process.argv.slice(2).map(Number);
  const { totals, told } = await ran(from, count, steps);
  process.stdout.write(`${told ?? JSON.stringify(totals)}\n`);
  if (told !== null) process.exitCode = 1;
  removeTemps();
} else {
  process.on('message', stretch => {
    void ran(...Stretch.parse(stretch)).then(({ told }) => send(told));
  });
  process.on('disconnect', removeTemps);
}
