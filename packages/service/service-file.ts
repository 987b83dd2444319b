import { join } from 'node:path';
import { ServiceFile } from '@hearth/protocol/status.ts';
import { writeAtomic } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';

/** Publishes where the service listens; written last at a start, so whoever reads it finds a service that answers. */
export async function publishService(disk: Disk, home: string, file: ServiceFile): Promise<void> {
  await writeAtomic(
    disk,
    join(home, 'service.json'),
    new TextEncoder().encode(`${JSON.stringify(file, null, 2)}\n`),
  );
}

/** What the last service published; `null` when nothing, or nothing readable. It may be stale: only the lock is proof. */
export async function publishedService(disk: Disk, home: string): Promise<ServiceFile | null> {
  const bytes = await disk.read(join(home, 'service.json'));
  if (bytes === null) return null;
  try {
    const parsed = ServiceFile.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Takes the publication back at a clean stop. */
export async function withdrawService(disk: Disk, home: string): Promise<void> {
  await disk.remove(join(home, 'service.json'));
}
