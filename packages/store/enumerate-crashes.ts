/**
 * Crashes a piece of work before every call that it makes to its disk, lets several seeds choose what survives, boots
 * on each survivor, and checks it. With `recover`, the boot itself is crashed before each of its calls too.
 */
import { SimCrash, SimDisk } from './sim-disk.ts';

/** The work that is crashed, and how what survives is judged. `P` is what it has told others so far. */
export interface CrashWork<P> {
  /** Makes what is there before; all of it is durable when `act` starts. */
  setup?(disk: SimDisk): Promise<void>;
  /** What `act` has achieved so far, and may tell others. */
  progress(): P;
  /** The work. It notes in `progress` what it was told is done. */
  act(disk: SimDisk, progress: P): Promise<void>;
  /** What a boot does to repair the disk. */
  recover?(disk: SimDisk): Promise<void>;
  /** Boots on what survived and rejects when something acknowledged is missing or something is there that must not be. */
  check(disk: SimDisk, progress: P): Promise<void>;
  /** What survives; 0 is nothing that was not synced, 1 everything. */
  seeds?: readonly number[];
  /** Replays the one case that a failure named. */
  only?: { readonly call: number; readonly seed: number };
}

/** How much was tried, so that a test can say that it was not nothing. */
export interface CrashCount {
  /** Calls that `act` makes when nothing stops it. */
  readonly calls: number;
  /** Survivors that were checked. */
  readonly cases: number;
}

const SEEDS = [0, 1, 2, 3, 4, 5];

/** Rejects with the first case that fails, naming the call and the seed that replay it through `only`. */
export async function enumerateCrashes<P>(work: CrashWork<P>): Promise<CrashCount> {
  const ground = new SimDisk();
  await work.setup?.(ground);
  const calls = await countCalls(fresh(ground), disk => work.act(disk, work.progress()));
  const stops = work.only ? [work.only.call] : Array.from({ length: calls + 1 }, (_, index) => index + 1);
  let cases = 0;
  for (const call of stops) {
    const disk = fresh(ground);
    const progress = work.progress();
    await stopBefore(call, disk, () => work.act(disk, progress));
    for (const seed of work.only ? [work.only.seed] : (work.seeds ?? SEEDS)) {
      try {
        cases += await checkSurvivors(work, disk, progress, seed);
      } catch (thrown) {
        const where = `crash before call ${call} of ${calls} (${disk.stoppedBefore ?? 'the end'}), seed ${seed}`;
        const why = thrown instanceof Error ? thrown.message : String(thrown);
        throw new Error(`${where}: ${why}\nReplay with only: { call: ${call}, seed: ${seed} }.`, {
          cause: thrown,
        });
      }
    }
  }
  return { calls, cases };
}

/** Checks what `seed` leaves, and what is left when the recovery of that is stopped before each of its calls. */
async function checkSurvivors<P>(
  work: CrashWork<P>,
  crashed: SimDisk,
  progress: P,
  seed: number,
): Promise<number> {
  const survivor = crashed.crash({ seed });
  let cases = 1;
  if (work.recover) {
    const recover = (disk: SimDisk): Promise<void> => work.recover?.(disk) ?? Promise.resolve();
    const calls = await countCalls(fresh(survivor), recover);
    for (let call = 1; call <= calls; call += 1) {
      const again = fresh(survivor);
      await stopBefore(call, again, () => recover(again));
      await work.check(again.crash({ seed }), progress);
      cases += 1;
    }
  }
  await work.check(survivor, progress);
  return cases;
}

async function countCalls(disk: SimDisk, run: (disk: SimDisk) => Promise<void>): Promise<number> {
  await run(disk);
  return disk.calls;
}

async function stopBefore(call: number, disk: SimDisk, run: () => Promise<void>): Promise<void> {
  disk.crashBefore(call);
  try {
    await run();
  } catch (thrown) {
    if (!(thrown instanceof SimCrash)) throw thrown;
  }
}

/** A copy on which everything that was written is durable. */
function fresh(disk: SimDisk): SimDisk {
  return disk.crash({ seed: 1 });
}
