/**
 * An epoch is made whole under a name that nobody reads yet, every part of it synced; what gives it its name is the
 * commit point of whoever makes it.
 */
import type { Commit } from '@hearth/engine/commit.ts';
import type { Position } from '@hearth/protocol/cursor.ts';
import type { Event } from '@hearth/protocol/event.ts';
import { writeAtomic, writeJson } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { encodeLine } from '@hearth/store/journal-line.ts';
import { type EpochDirectory, journalPath } from './conversation-directory.ts';
import { headerOf } from './event-log.ts';
import type { StoredSnapshot } from './ports.ts';

/** What an epoch begins with. */
export interface Beginning {
  readonly snapshot: StoredSnapshot;
  /** The position before its first event. */
  readonly boundary: Position;
  /** Events that the snapshot contains. */
  readonly events: readonly Event[];
  /** Commits after the snapshot. */
  readonly commits: readonly Commit[];
}

/** Makes the directory of an epoch; durable when it resolves, but for the name of the directory itself. */
export async function stageEpoch(disk: Disk, files: EpochDirectory, beginning: Beginning): Promise<void> {
  const { snapshot, boundary, events, commits } = beginning;
  for (const path of [files.plans, files.blobs, files.backend]) await disk.makeDirectory(path);
  const lines = [headerOf(boundary), ...events].map(line => `${JSON.stringify(line)}\n`).join('');
  await writeAtomic(disk, files.events, new TextEncoder().encode(lines));
  if (commits.length > 0) {
    const journal = Buffer.concat(commits.map(commit => encodeLine(commit)));
    await writeAtomic(disk, journalPath(files, snapshot.generation), journal);
  }
  await writeJson(disk, files.snapshot, snapshot);
  await disk.syncDirectory(files.root);
}
