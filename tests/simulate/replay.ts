/* Replays one seed of the simulation and tells what happened: `node tests/simulate/replay.ts SEED STEPS`. */
import { removeTemps } from '../support/temp.ts';
import { simulate } from './simulation.ts';

const [seed = 1, steps = 12] = process.argv.slice(2).map(Number);
const trace: string[] = [];
try {
  const { trace: told, ...summary } = await simulate(seed, steps, trace);
  process.stdout.write(`${told.join('\n')}\n${JSON.stringify(summary)}\n`);
} catch (thrown) {
  process.stdout.write(`${trace.join('\n')}\n${thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
  process.exitCode = 1;
} finally {
  removeTemps();
}
