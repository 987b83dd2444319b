/*
 * Runs a stretch of seeds in a process of its own: `node tests/simulate/many-seeds.ts FROM COUNT STEPS`. The first that fails
 * is told, with its trace and the command that replays it.
 */
import { simulateAll } from './seeds.ts';

const [from = 1, count = 100, steps = 12] = process.argv.slice(2).map(Number);
try {
  process.stdout.write(`${JSON.stringify(await simulateAll(from, count, steps))}\n`);
} catch (thrown) {
  process.stdout.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
}
