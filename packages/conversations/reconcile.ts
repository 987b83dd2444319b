/**
 * Brings the files that repeat the journal in line with it when an epoch is opened.
 *
 * - What follows the snapshot is written again from the journal (docs/adr/0085). What they have and the journal has not is cut
 *   and set aside: a copy that was taken while Hearth wrote, a journal that was lost, or a home put together from several
 *   times. What could not be set aside stays.
 * - A number that any of them has seen is never given out again: the event log then begins anew above all of them.
 * - A transcript that was cut short gets back what the event log still tells, and a mark where something is missing.
 * - A disk that takes no writes keeps none of this from holding in memory.
 */
import type { Commit } from '@hearth/engine/commit.ts';
import type { TranscriptLine } from '@hearth/protocol/history.ts';
import type { Position } from '@hearth/protocol/cursor.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { DiskError } from '@hearth/store/disk.ts';
import { positionOf, type EventLog } from './event-log.ts';
import type { Damage, StoredSnapshot } from './ports.ts';
import type { Stray } from './projection.ts';
import type { Receipts } from './receipts.ts';
import type { Transcript } from './transcript.ts';
import { wordsTold } from './words-told.ts';

/** What is brought in line, and with what. */
export interface Reconciled {
  readonly snapshot: StoredSnapshot;
  readonly commits: readonly Commit[];
  readonly events: EventLog;
  /** The event log does not reach the snapshot. */
  readonly lost: boolean;
  readonly transcript: Transcript;
  readonly receipts: Receipts;
  /** Keeps lines that the journal does not have. */
  readonly setAside: (name: string, lines: readonly unknown[]) => Promise<void>;
}

/** What a person is told of it, and why not all of it could be written; the epoch then takes no commit. */
export interface Outcome {
  readonly damage: readonly Damage[];
  readonly failure: unknown;
}

/** Does all of it that can be done, and then says what could not; it does not reject for what the disk refuses. */
export async function reconcile(parts: Reconciled): Promise<Outcome> {
  const damage: Damage[] = [];
  const failures: unknown[] = [];
  const tried = (work: Promise<void>): Promise<void> =>
    work.catch((thrown: unknown) => void failures.push(thrown));
  const words = await wordsOf(parts, damage);
  await tried(alignEvents(parts, words.stray));
  // Words that could not be set aside stay where they are.
  await tried(parts.transcript.refill(words.after, words.expected, failures.length > 0));
  const { snapshot, events, receipts } = parts;
  const why = events.untold;
  if (why !== null) {
    damage.unshift(ANEW[why]);
    receipts.forgetAfter(Math.min(snapshot.seq, events.agreed ?? 0), 'lost');
    // What they tell of the numbers stays in the file until it is certain that none is given out again.
    if (failures.length === 0) await tried(receipts.settle());
  } else if ((await receipts.bytes()) !== snapshot.receipts) {
    // The journal still has these. A sync of them may have failed, and nothing is written behind what may be gone.
    receipts.forgetAfter(snapshot.seq, 'in the journal');
    if (failures.length === 0) await receipts.settle().catch(unlessDisk);
  }
  return { damage, failure: failures[0] };
}

/** What the disk did not take out now is taken out before the next is written. */
function unlessDisk(thrown: unknown): void {
  if (!(thrown instanceof DiskError)) throw thrown;
}

/** The lines that the transcript should hold after `after`, and what it holds instead. */
async function wordsOf(
  { snapshot, commits, events, lost, transcript }: Reconciled,
  damage: Damage[],
): Promise<{ after: number; expected: TranscriptLine[]; stray: Stray<TranscriptLine> | null }> {
  const expected = commits.flatMap(commit => commit.words);
  const reached = snapshot.transcript;
  if (reached === undefined || (transcript.last >= reached.seq && transcript.bytes >= reached.bytes)) {
    return { after: snapshot.seq, expected, stray: await transcript.stray(snapshot.seq, expected) };
  }
  damage.push(LOST_WORDS);
  const after = Math.min(transcript.last, snapshot.seq);
  const told = lost ? [] : wordsTold(await events.after(after)).filter(line => line.seq <= snapshot.seq);
  const gap = { seq: after, at: snapshot.updatedAt, turn: null, is: 'mark', mark: 'lost' } as const;
  const text = 'a part of the history was lost here';
  return { after, expected: [{ ...gap, text }, ...told, ...expected], stray: null };
}

async function alignEvents(parts: Reconciled, words: Stray<TranscriptLine> | null): Promise<void> {
  const { commits, events, lost, receipts, setAside } = parts;
  const told = commits.flatMap(commit => commit.events);
  const last = told.at(-1);
  const { head } = events;
  const end: Position = last && last.seq > head.seq ? positionOf(head.epoch, last) : head;
  const stray = lost ? null : await events.stray(told);
  const highest = Math.max(stray?.last ?? 0, words?.last ?? 0, await receipts.last());
  if (stray !== null || highest > end.seq) {
    const lines = [...(stray?.lines ?? []), ...(words?.lines ?? [])];
    const from = Math.min(end.seq, stray?.after ?? end.seq);
    const seq = Math.max(highest, end.seq) + 1;
    const boundary = { epoch: head.epoch, seq, check: checkOf(lines) };
    await events.restart(boundary, { from, why: 'ahead' }, () => setAside('ahead.jsonl', lines));
  } else if (lost) {
    await events.restart(end, { from: end.seq, why: 'log' });
  } else {
    await events.refill(told);
  }
}

/** A check that no event of this history has: a cursor of another one is told apart by it. */
function checkOf(lines: readonly unknown[]): string {
  return sha256(JSON.stringify(lines)).slice('sha256:'.length, 'sha256:'.length + 6);
}

/** What is told of a log that began anew, by why it did. */
const ANEW: Readonly<Record<'journal' | 'ahead' | 'log', Damage>> = {
  journal: {
    code: 'journal_damaged',
    text: 'A part of the journal is damaged. It was set aside in quarantine, and the conversation goes on from before it.',
    serious: true,
  },
  ahead: {
    code: 'journal_behind',
    text: 'The log of this conversation tells of more than its journal holds, as in a copy that was made while Hearth wrote. What the journal lacks was set aside in quarantine; look at what was said last before you go on.',
    serious: true,
  },
  log: {
    code: 'event_log_lost',
    text: 'The event log did not reach the last snapshot, so it begins anew; older words are in the history.',
    serious: false,
  },
};

const LOST_WORDS: Damage = {
  code: 'transcript_lost',
  text: 'The history of this conversation was cut short. What the event log still told was put back; older words are gone.',
  serious: false,
};
