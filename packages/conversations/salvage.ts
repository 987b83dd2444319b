/**
 * Brings a conversation whose record or state is damaged back, with as small a loss as possible.
 *
 * - A damaged record is made again; nothing else changes.
 * - A damaged state, or the plan of its run, is lost: the conversation begins an epoch with an empty one, in which no
 *   number is given out that any file has seen. What was said stays in the history, and a command that was accepted is
 *   known, so that it is not carried out again. The default stays the default.
 * - What was damaged is kept in quarantine. The rename of `conversation.json` is the commit point; before it nothing but
 *   the log of what is true already is written, and whatever stops it, the next attempt begins from the start.
 * - The record says what was lost until the log tells it.
 */
import { join } from 'node:path';
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { type Clock, instant } from '@hearth/store/clock.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { epochsIn, lived } from './archives.ts';
import { freshEpoch } from './beginnings.ts';
import {
  type ConversationDirectory,
  epochDirectory,
  type HomeDirectory,
  planPath,
} from './conversation-directory.ts';
import { clearFiles } from './own-places.ts';
import type { ConversationRecord, MendedNote } from './ports.ts';
import type { Quarantine } from './quarantine.ts';
import { Receipts } from './receipts.ts';
import { writeRecord } from './record.ts';
import { recordAgain } from './record-again.ts';
import { eventsIn, isDamaged, numbersIn, type Remains, remainsOf } from './remains.ts';
import { recordLost, stateLost } from './salvage-words.ts';
import { stageEpoch } from './staging.ts';
import { Transcript } from './transcript.ts';
import { unfinishedIn } from './unfinished.ts';

/** Where it is mended, and where the damaged files go. */
export interface SalvageContext {
  readonly disk: Disk;
  readonly home: HomeDirectory;
  readonly quarantine: Quarantine;
  readonly clock: Clock;
}

/**
 * Mends the conversation in a directory, which nobody may have open. Resolves to whether it can be opened now, as far as
 * this can tell; `false` when nothing is left to go by. Rejects with `DiskError`, and may then be tried again.
 */
export async function salvage(context: SalvageContext, root: string, id: ConversationId): Promise<boolean> {
  const { disk, clock } = context;
  const remains = await remainsOf(disk, root, id);
  if (remains === null) return false;
  if (!isDamaged(remains)) return true;
  const events = await eventsIn(disk, remains);
  const again =
    remains.record === null
      ? await recordAgain(context, id, remains, events)
      : { record: remains.record, known: true };
  const notes = remains.record === null ? [recordLost(again.known)] : [];
  if (remains.record === null) await keep(context, remains.directory.record);
  let { record } = again;
  let left: number | undefined;
  if (remains.snapshot === null || remains.lostPlans.length > 0) {
    const epoch = await begin(context, remains, record, events.at(-1)?.at ?? instant(clock));
    const what = remains.snapshot === null ? 'state' : 'plan';
    notes.push(stateLost(what, unfinishedIn(events), epoch.receiptsLost));
    if (epoch.kept) left = remains.epoch;
    record = { ...record, epoch: epoch.number };
  }
  const mended = noteOf(record.mended, notes, instant(clock), left);
  await writeRecord(disk, remains.directory.record, { ...record, mended });
  await clearMended(disk, remains.directory, { ...record, mended });
  return true;
}

/**
 * Removes the damaged snapshot of an earlier epoch, which has been copied to quarantine; nothing reads it any more. The
 * record that tells of it must be durable. A disk that takes no writes leaves it where it is.
 */
export async function clearMended(
  disk: Disk,
  directory: ConversationDirectory,
  { epoch, mended }: ConversationRecord,
): Promise<void> {
  if (mended?.left === undefined || mended.left >= epoch) return;
  const { root, snapshot } = epochDirectory(directory, mended.left);
  const clear = async (): Promise<void> => {
    await disk.remove(snapshot);
    await disk.syncDirectory(root);
  };
  await clear().catch((thrown: unknown) => {
    if (!(thrown instanceof DiskError)) throw thrown;
  });
}

/** Stages the epoch that follows; nothing names it yet. */
async function begin(
  context: SalvageContext,
  remains: Remains,
  record: ConversationRecord,
  at: string,
): Promise<{ readonly number: number; readonly kept: boolean; readonly receiptsLost: boolean }> {
  const { disk, quarantine } = context;
  const { directory, files, epoch, lostPlans, snapshot } = remains;
  const lost = await clearFiles(disk, directory, files, quarantine);
  await keepTold(context, remains);
  const { counters, seq } = await numbersIn(disk, remains);
  const artifacts = await artifactsIn(disk, remains);
  const kept = snapshot === null && (await keep(context, files.snapshot));
  for (const digest of lostPlans) await keep(context, planPath(files, digest), 'move');
  const there = await epochsIn(disk, directory);
  const known: number[] = [epoch];
  for (const number of there)
    if (number > epoch && (await lived(disk, directory, number))) known.push(number);
  const number = Math.max(...known) + 1;
  const to = epochDirectory(directory, number);
  await disk.remove(to.root);
  const check = sha256(`${record.id} ${number} ${seq}`).slice('sha256:'.length, 'sha256:'.length + 6);
  const boundary = { epoch: number, seq, check };
  const all = Object.keys(artifacts).length === 0 ? counters : { ...counters, artifacts };
  await stageEpoch(disk, to, freshEpoch({ ...record, epoch: number }, all, boundary, at));
  await disk.syncDirectory(directory.epochs);
  await disk.syncDirectory(directory.root);
  return { number, kept, receiptsLost: lost.length > 0 };
}

/** Makes what the journal alone still tells durable in the files that stay: its words and its receipts. */
async function keepTold({ disk, quarantine }: SalvageContext, remains: Remains): Promise<void> {
  const { directory, files, snapshot, commits } = remains;
  const words = commits.flatMap(commit => commit.words);
  const first = commits.flatMap(commit => commit.events)[0]?.seq ?? words[0]?.seq ?? 1;
  const after = snapshot?.seq ?? first - 1;
  const transcript = await Transcript.open(disk, files.transcript, after, ({ path, bytes }) => {
    void quarantine.keep('line', bytes, `A line of "${path}" cannot be read.`).catch(() => undefined);
  });
  // What it holds beyond the journal is not cut: it may be all that is left.
  if (words.length > 0 && (await transcript.stray(after, words)) === null)
    await transcript.refill(after, words);
  await transcript.sync();
  await transcript.close();
  const receipts = new Receipts(disk, directory.receipts);
  for (const { receipt } of commits) if (receipt) receipts.add(receipt);
  // What the file holds may be all that is left of a commit that cannot be read, and a sync of it may have failed.
  await receipts.gather();
  await receipts.close();
}

/** The last version of each artifact that any epoch holds. */
async function artifactsIn(disk: Disk, { directory }: Remains): Promise<Record<string, number>> {
  const last: Record<string, number> = {};
  for (const number of await epochsIn(disk, directory)) {
    const root = join(epochDirectory(directory, number).root, 'artifacts');
    for (const name of await disk.list(root)) {
      for (const file of await disk.list(join(root, name))) {
        const version = Number(/^([1-9]\d{0,8})\.json$/.exec(file)?.[1] ?? 0);
        if (version > 0) last[name] = Math.max(last[name] ?? 0, version);
      }
    }
  }
  return last;
}

/**
 * Keeps a damaged file in quarantine; a directory in its place is moved there. Resolves to whether the file itself is
 * still there, to be removed later.
 */
async function keep(
  { disk, quarantine }: SalvageContext,
  path: string,
  how: 'copy' | 'move' = 'copy',
): Promise<boolean> {
  const found = await disk.stat(path);
  if (found === null) return false;
  const why = `"${path}" was damaged, and its conversation has been mended without it.`;
  if (found.kind === 'file' && how === 'copy') {
    const name = path.slice(path.lastIndexOf('/') + 1);
    await quarantine.keep(name, (await disk.read(path)) ?? new Uint8Array(), why);
    return true;
  }
  await quarantine.move(path, why);
  return false;
}

/** What is to be told, with what an earlier mending has not told yet. */
function noteOf(
  before: MendedNote | undefined,
  notes: readonly Omit<MendedNote, 'at'>[],
  at: string,
  left: number | undefined,
): MendedNote {
  const all = before === undefined ? notes : [before, ...notes];
  const worst = all.find(note => note.severity === 'error') ?? all[0];
  return {
    at,
    code: worst?.code ?? 'record_rebuilt',
    severity: worst?.severity ?? 'warning',
    text: all.map(note => note.text).join(' '),
    ...(left === undefined ? {} : { left }),
  };
}
