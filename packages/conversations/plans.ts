/** `plans/<digest>.json`: every plan that an epoch ran, with its sources, so that its runs can always be read back. */
import { z } from 'zod';
import type { Plan } from '@hearth/engine/bot.ts';
import type { Digest } from '@hearth/protocol/ids.ts';
import { canonicalJson } from '@hearth/protocol/json.ts';
import { DamagedFile, readJson, writeJson } from '@hearth/store/atomic-file.ts';
import { sha256 } from '@hearth/store/digest.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { type EpochDirectory, planPath } from './conversation-directory.ts';
import type { StoredPlan } from './ports.ts';
import type { Quarantine } from './quarantine.ts';

const Shape = z.looseObject({ format: z.literal(1), nodes: z.record(z.string(), z.unknown()) });
/** The digest in the file's name vouches for what is inside. */
const PlanFile = z.object({
  plan: z.custom<Plan>(value => Shape.safeParse(value).success),
  sources: z.record(z.string(), z.string()),
});

/** Reads a plan; `null` when this epoch never ran it. Rejects with `DamagedFile`. */
export async function readPlan(
  disk: Disk,
  epoch: EpochDirectory,
  digest: Digest,
): Promise<StoredPlan | null> {
  const path = planPath(epoch, digest);
  const found = await readJson(disk, path, PlanFile);
  if (found !== null && sha256(canonicalJson(found.plan)) !== digest) {
    throw new DamagedFile(path, 'the plan is not the one its name says');
  }
  return found;
}

/** Keeps a plan, durable when it resolves. A directory in its place is set aside. */
export async function keepPlan(
  disk: Disk,
  epoch: EpochDirectory,
  quarantine: Quarantine,
  digest: Digest,
  plan: StoredPlan,
): Promise<void> {
  const path = planPath(epoch, digest);
  if ((await disk.stat(path))?.kind === 'directory') await quarantine.move(path, `"${path}" was no file.`);
  if ((await readPlan(disk, epoch, digest).catch(() => null)) === null) {
    await writeJson(disk, path, { plan: plan.plan, sources: plan.sources });
    return;
  }
  // What an earlier attempt left may be in memory alone.
  await disk.syncFile(path);
  await disk.syncDirectory(epoch.plans);
}
