/**
 * One simulation: a seed chooses what surfaces do and what goes wrong, step by step; then everything is well again, and
 * what is left is compared with what was told. The same seed gives the same run, to the last event.
 */
import { LATE_PARTS } from '@hearth/conversations/late-parts.ts';
import { pick } from '@hearth/store/seeded-random.ts';
import { Acts } from './acts.ts';
import { Broken } from './history.ts';
import { Judgement, PATIENCE } from './judgement.ts';
import { Stage } from './stage.ts';

/** What a run was like, to see that it is worth something. */
export interface Summary {
  readonly seed: number;
  readonly boots: number;
  readonly commands: number;
  readonly events: number;
  readonly turns: number;
  readonly recoveries: number;
  readonly cuts: number;
  readonly refusals: number;
  readonly owing: number;
  readonly raised: number;
  /** Starts that found a service there. */
  readonly attached: number;
  readonly trace: readonly string[];
}

/**
 * Runs a seed for `steps` steps, before everything is well again. Rejects with `Broken`, or with whatever was thrown by
 * what should never throw.
 */
export async function simulate(seed: number, steps: number, trace: string[] = []): Promise<Summary> {
  // A service loads them a second after its start; loading takes moments that no seed chooses.
  for (const part of LATE_PARTS) await part();
  const stage = new Stage(seed, trace);
  try {
    const summary = await played(stage, steps);
    if (stage.history.broken !== null) throw stage.history.broken;
    return summary;
  } catch (thrown) {
    throw stage.history.broken ?? thrown;
  } finally {
    stage.end();
  }
}

async function played(stage: Stage, steps: number): Promise<Summary> {
  const { machine, history, trace, seed } = stage;
  const acts = new Acts(stage);
  await machine.boot();
  for (const surface of [stage.console, stage.studio]) void surface.open(null).catch(() => undefined);
  await stage.moments(20);
  for (let step = 0; step < steps; step += 1) {
    await acts.act();
    await stage.moments(pick(stage.random, 12));
    stage.check();
  }
  await heal(stage, acts);
  await new Judgement(stage).pass();
  const { commands, events, started, recoveries, cuts, refusals, owing, raised } = history;
  const counts = { commands: commands.size, events: events.size, turns: started.size };
  const { boots, attached } = machine;
  return { seed, boots, attached, ...counts, recoveries, cuts, refusals, owing, raised, trace };
}

/** Everything is well again: the surfaces must catch up by themselves. */
async function heal(stage: Stage, acts: Acts): Promise<void> {
  stage.note('all is well');
  stage.network.trouble = 0;
  stage.mood.calm = true;
  stage.studio.resume();
  stage.machine.disk.mend();
  if (stage.machine.instance === null) await acts.lose(1);
  for (let round = 0; round < PATIENCE; round += 1) {
    stage.machine.clock.advance(5000);
    await stage.moments(5);
    const models = [stage.console.model, stage.studio.model];
    if (models.every(model => model?.link.is === 'connected')) return;
  }
  throw new Broken(2, 'a surface did not come back');
}
