/** `artifacts/<name>/<version>.json`: every version of every artifact, whole and never changed. */
import { join } from 'node:path';
import { ArtifactVersion } from '@hearth/protocol/artifact.ts';
import { writeJson } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { artifactPath, type EpochDirectory } from './conversation-directory.ts';
import { makeOwn } from './own-places.ts';
import type { Quarantine } from './quarantine.ts';

/** Keeps a version, durable when it resolves. One that no commit names yet may be written again, with another text. */
export async function keepArtifact(
  disk: Disk,
  epoch: EpochDirectory,
  version: ArtifactVersion,
  quarantine: Quarantine,
): Promise<void> {
  const { artifact, version: number } = version.ref;
  await makeOwn(disk, join(epoch.artifacts, artifact), quarantine);
  await writeJson(disk, artifactPath(epoch, artifact, number), version);
  await disk.syncDirectory(epoch.artifacts);
  await disk.syncDirectory(epoch.root);
}

/** A version as it is stored; `null` when there is none, or what is there is none. Its digest is not looked at. */
export async function readArtifact(
  disk: Disk,
  epoch: EpochDirectory,
  name: string,
  version: number,
): Promise<ArtifactVersion | null> {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) || !Number.isSafeInteger(version)) return null;
  const bytes = await disk.read(artifactPath(epoch, name, version));
  if (bytes === null) return null;
  try {
    const found = ArtifactVersion.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return found.success ? found.data : null;
  } catch {
    return null;
  }
}
