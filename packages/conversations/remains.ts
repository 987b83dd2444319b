/**
 * What remains of a conversation whose record or state is damaged. Nothing is changed by looking.
 *
 * - Damage is what no other attempt will read: a file that does not hold what it must, that is missing, or in whose place
 *   lies a directory. A disk that fails rejects, since that may pass.
 * - What a newer Hearth wrote, the record of another conversation, and a link in the place of a file are no damage to be
 *   mended.
 */
import { join } from 'node:path';
import type { Commit } from '@hearth/engine/commit.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { ConversationId, Digest } from '@hearth/protocol/ids.ts';
import { DamagedFile } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { decodeLine } from '@hearth/store/journal-line.ts';
import { scanJournal } from '@hearth/store/journal-scan.ts';
import { linesFrom } from '@hearth/store/line-reader.ts';
import { checkedJson } from '@hearth/store/schema.ts';
import { epochsIn, lived } from './archives.ts';
import { CommitLine } from './commit-line.ts';
import {
  type ConversationDirectory,
  conversationDirectory,
  type EpochDirectory,
  epochDirectory,
  generationOf,
  journalPath,
} from './conversation-directory.ts';
import { EventLine } from './event-log.ts';
import { plansNeeded } from './lost-plans.ts';
import { NumbersSeen, type Seen } from './numbers-seen.ts';
import { checkOwnPlaces } from './own-places.ts';
import { readPlan } from './plans.ts';
import type { ConversationRecord, StoredSnapshot } from './ports.ts';
import { readRecord } from './record.ts';
import { readSnapshot } from './snapshot.ts';

/** Everything that can still be read of a conversation, for whoever mends it. */
export interface Remains {
  readonly directory: ConversationDirectory;
  /** `null`: it is damaged. */
  readonly record: ConversationRecord | null;
  /** The current epoch, as the record says or the directories show. */
  readonly epoch: number;
  readonly files: EpochDirectory;
  /** That of the current epoch; `null`: it is damaged. */
  readonly snapshot: StoredSnapshot | null;
  /** The commits that its journal holds, as far as they can be read. */
  readonly commits: readonly Commit[];
  /** The plans that the state needs and that cannot be read. */
  readonly lostPlans: readonly Digest[];
}

/** Looks at a conversation; `null` when there is nothing to go by, or nothing that may be mended. Rejects with `DiskError`. */
export async function remainsOf(disk: Disk, root: string, id: ConversationId): Promise<Remains | null> {
  const directory = conversationDirectory(root);
  const places = await whole(checkOwnPlaces(disk, directory).then(() => true));
  if (places === null || (await newer(disk, directory.record))) return null;
  const record = await whole(readRecord(disk, directory.record));
  // One of another is no damage: somebody put the directory here.
  if (record !== null && record.id !== id) return null;
  const epoch = record?.epoch ?? (await highest(disk, directory));
  if (epoch === null) return null;
  const files = epochDirectory(directory, epoch);
  if (await newer(disk, files.snapshot)) return null;
  const found = await whole(readSnapshot(disk, files));
  const snapshot = found?.epoch === epoch ? found : null;
  const commits = await commitsIn(disk, files, snapshot);
  const lostPlans = snapshot === null ? [] : await plansLost(disk, files, { snapshot, commits });
  return { directory, record, epoch, files, snapshot, commits, lostPlans };
}

/** Whether anything is damaged that keeps it from being opened. */
export function isDamaged({ record, snapshot, lostPlans }: Remains): boolean {
  return record === null || snapshot === null || lostPlans.length > 0;
}

/** The events of the current epoch that log and journal tell, oldest first. */
export async function eventsIn(disk: Disk, { files, commits }: Remains): Promise<readonly Event[]> {
  const found = new Map<number, Event>();
  for await (const text of textsOf(disk, files.events)) {
    const event = checkedJson(EventLine, text);
    if (event.ok) found.set(event.value.seq, event.value);
  }
  for (const event of commits.flatMap(commit => commit.events)) found.set(event.seq, event);
  return [...found.values()].sort((a, b) => a.seq - b.seq);
}

/** The highest numbers that any file of the conversation mentions, of whatever epoch. */
export async function numbersIn(disk: Disk, { directory }: Remains): Promise<Seen> {
  const seen = new NumbersSeen();
  const look = async (path: string): Promise<void> => {
    for await (const text of textsOf(disk, path)) seen.look(text);
  };
  await look(directory.receipts);
  for (const number of await epochsIn(disk, directory)) {
    const { root, traces } = epochDirectory(directory, number);
    for (const name of await disk.list(root)) if (SPEAKS.test(name)) await look(join(root, name));
    for (const name of await disk.list(traces)) await look(join(traces, name));
  }
  return seen;
}

/** The files of an epoch that mention its numbers. */
const SPEAKS = /^(?:snapshot\.json|events\.jsonl|transcript\.jsonl|journal\.\d+\.jsonl)$/;

/** The lines of a file, and what follows the last of them. Nothing, when it is no file. */
async function* textsOf(disk: Disk, path: string): AsyncGenerator<string> {
  const found = await disk.stat(path);
  if (found?.kind !== 'file') return;
  const decoder = new TextDecoder();
  let end = 0;
  for await (const line of linesFrom(disk, path, 0, found.bytes)) {
    end = line.end;
    yield decoder.decode(line.bytes);
  }
  if (end < found.bytes) yield decoder.decode(await disk.readRange(path, end, found.bytes - end));
}

/** What was read; `null` when it is damaged or missing. */
async function whole<T>(work: Promise<T | null>): Promise<T | null> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof DamagedFile) return null;
    throw thrown;
  }
}

/** Whether a file is whole and of a format that this Hearth does not know. */
async function newer(disk: Disk, path: string): Promise<boolean> {
  if ((await disk.stat(path))?.kind !== 'file') return false;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode((await disk.read(path)) ?? new Uint8Array()));
    return typeof value === 'object' && value !== null && 'format' in value && value.format !== 1;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return false;
    throw thrown;
  }
}

/**
 * The highest epoch in which something happened. One that was never opened counts when a reset began it, whose commit it
 * holds, or when there is no earlier one: any other was being staged when something stopped that.
 */
async function highest(disk: Disk, directory: ConversationDirectory): Promise<number | null> {
  const numbers = (await epochsIn(disk, directory)).filter(number => number >= 1).sort((a, b) => b - a);
  for (const number of numbers) {
    if (await lived(disk, directory, number)) return number;
    const files = epochDirectory(directory, number);
    if ((await whole(readSnapshot(disk, files))) === null) continue;
    const begun = (await disk.list(files.root)).some(name => generationOf(name) !== null);
    if (begun || number === numbers.at(-1)) return number;
  }
  return null;
}

/** Those after the snapshot; without one, all that any journal holds. */
async function commitsIn(
  disk: Disk,
  files: EpochDirectory,
  snapshot: StoredSnapshot | null,
): Promise<readonly Commit[]> {
  const names = await disk.list(files.root);
  const generations = names
    .flatMap(name => generationOf(name) ?? [])
    .filter(generation => snapshot === null || generation === snapshot.generation)
    .sort((a, b) => a - b);
  const found = new Map<number, Commit>();
  for (const generation of generations) {
    const path = journalPath(files, generation);
    if ((await disk.stat(path))?.kind !== 'file') continue;
    const bytes = (await disk.read(path)) ?? new Uint8Array();
    const after = snapshot?.commit ?? (firstOf(bytes) ?? 1) - 1;
    for (const commit of scanJournal(bytes, CommitLine, after).lines) found.set(commit.n, commit);
  }
  return [...found.values()].sort((a, b) => a.n - b.n);
}

/** The number of a journal's first line. */
function firstOf(bytes: Uint8Array): number | null {
  const value = decodeLine(bytes.subarray(0, Math.max(0, bytes.indexOf(10))));
  const line = CommitLine.safeParse(value);
  return line.success ? line.data.n : null;
}

async function plansLost(
  disk: Disk,
  files: EpochDirectory,
  state: { readonly snapshot: StoredSnapshot; readonly commits: readonly Commit[] },
): Promise<Digest[]> {
  const lost: Digest[] = [];
  for (const digest of new Set(plansNeeded(state))) {
    if ((await whole(readPlan(disk, files, digest))) === null) lost.push(digest);
  }
  return lost;
}
