import { systemClock } from '@hearth/store/clock.ts';
import { nodeDisk } from '@hearth/store/node-disk.ts';
import type { Environment } from '../choice.ts';
import { homeHolding } from '../find.ts';
import { bash } from './bash.ts';
import { type Check, type Diagnosis, ok, type Patient } from './check.ts';
import { defaults } from './defaults.ts';
import { integrity, quarantine } from './damage.ts';
import { lock, permissions, settings, token } from './files.ts';
import { backend, bots, diskSpace, home, nodeVersion } from './machine.ts';

/*
 * Looks at everything that a home is made of and says what is wrong with it and what a repair would do. Looking changes
 * nothing and starts nothing. A check that cannot be made says so, and the others go on.
 */

/** In the order in which they are told and mended: what is brought back may be the default. Those of a home are made only when there is one. */
const ALWAYS: Readonly<Record<string, Check>> = { node: nodeVersion, home, backend, bash };
const OF_HOME: Readonly<Record<string, Check>> = {
  disk: diskSpace,
  lock,
  permissions,
  token,
  settings,
  integrity,
  quarantine,
  default: defaults,
  bots,
};

/** Every diagnosis of a home, by its real path if it exists. */
export async function examine(path: string, env: Environment): Promise<readonly Diagnosis[]> {
  const patient: Patient = {
    home: path,
    disk: nodeDisk,
    clock: systemClock,
    env,
    holding: homeHolding(path),
  };
  const always = await all(ALWAYS, patient);
  const usable = !always.some(one => one.check === 'home' && one.severity === 'error');
  return usable ? [...always, ...(await all(OF_HOME, patient))] : always;
}

async function all(checks: Readonly<Record<string, Check>>, patient: Patient): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  for (const [name, check] of Object.entries(checks)) {
    found.push(...(await check(patient).catch((error: unknown) => [unmade(name, error)])));
  }
  return found;
}

function unmade(check: string, error: unknown): Diagnosis {
  const why = error instanceof Error ? error.message : 'unknown';
  return { ...ok(check, `This could not be looked at (${why}).`), severity: 'error' };
}
