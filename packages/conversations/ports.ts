import type { Plan } from '@hearth/engine/bot.ts';
import type { Commit, Snapshot } from '@hearth/engine/commit.ts';
import type { Entry } from '@hearth/engine/entry.ts';
import type { Actor } from '@hearth/protocol/actor.ts';
import type { ArtifactVersion } from '@hearth/protocol/artifact.ts';
import type { AuditLine } from '@hearth/protocol/audit.ts';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { CommandId, ConversationId, Digest, Instant, RunId } from '@hearth/protocol/ids.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import type { Scope } from '@hearth/protocol/scope.ts';
import type { BlobRef } from '@hearth/protocol/text.ts';
import type { ConversationRow, ConversationView } from '@hearth/protocol/view.ts';

/*
 * The four ports behind which a conversation lives. Locally they are the home directory and its lock; on
 * several machines, a database and leases. Nothing above them may know which.
 */

/** `conversation.json`: the record that names and places a conversation. */
export interface ConversationRecord {
  readonly format: 1;
  readonly id: ConversationId;
  readonly title: string;
  readonly scope: Scope;
  /** A bot's name, or the absolute path of a bundle. */
  readonly bot: string;
  readonly default: boolean;
  readonly pinned: boolean;
  readonly origin: 'person' | 'dispatch';
  readonly epoch: number;
  readonly createdAt: Instant;
  /** The preset of its runs, where a message names none; it lapses with a bot that has no such preset. */
  readonly preset?: string;
  /** The backend or the model of its agents that leave it open, as a person set it. */
  readonly model?: string;
  /** It was brought back from the trash, which the log does not tell yet. */
  readonly restored?: RestoredNote;
  /** It was imported, which the log does not tell yet. */
  readonly imported?: RestoredNote;
  /** It was mended, which the log does not tell yet. */
  readonly mended?: MendedNote;
}

/** What a person is to be told of a conversation that was mended. */
export interface MendedNote {
  readonly at: Instant;
  readonly code: string;
  readonly severity: 'warning' | 'error';
  readonly text: string;
  /** The epoch whose damaged snapshot has been copied to quarantine and is still in its place. */
  readonly left?: number;
}

/** Who brought a conversation back, or here. */
export interface RestoredNote {
  readonly at: Instant;
  readonly by: Actor;
  readonly commandId: CommandId;
  readonly payload: Digest;
}

/** A snapshot as it is kept: `updatedAt` is the time of the last event, which the list is ordered by. */
export interface StoredSnapshot extends Snapshot {
  readonly updatedAt: Instant;
  /** How far the transcript reached: its last line's sequence number, and its size in bytes. The store adds it. */
  readonly transcript?: { readonly seq: number; readonly bytes: number };
  /** Bytes of the receipts of all commits in it. The store adds it. */
  readonly receipts?: number;
}

/** Something that was wrong with what was stored, in words for a person. */
export interface Damage {
  readonly code: string;
  readonly text: string;
  /** Something that was acknowledged may be missing. */
  readonly serious: boolean;
}

/** What opening a conversation finds. */
export interface OpenedConversation {
  readonly record: ConversationRecord;
  readonly snapshot: StoredSnapshot;
  /** Commits since the snapshot, in order. */
  readonly commits: readonly Commit[];
  /** The position of the newest event; new ones are numbered after it. */
  readonly head: Cursor;
  /** The retained boundary of the public log. */
  readonly retained: Cursor;
  /** What had to be cut or set aside; empty when all was well. */
  readonly damage: readonly Damage[];
}

/**
 * `conflict`: it does not follow the last commit. `fenced`: a later holder of the lease has written. Neither wrote
 * anything.
 */
export type CommitResult = 'ok' | 'conflict' | 'fenced';

/** Which rows of the list; what is left out leaves all. `text` is looked for in the title, whatever its case. */
export interface ListFilter {
  readonly scope?: Scope;
  readonly state?: ConversationRow['state'];
  readonly text?: string;
}

/** A row as it is stored. `settled` is false when the conversation was at work, or has commits since its snapshot. */
export interface StoredRow extends ConversationRow {
  readonly settled: boolean;
  readonly origin: ConversationRecord['origin'];
}

/** A look at the files of rows that were shown before. */
export interface RowCheck {
  /** A row is another; `null`: there is none any more, or it cannot be read. */
  told(c: ConversationId, row: StoredRow | null): void;
  /** Asked before each small part; whatever else is to be done comes first. `false` ends the look. */
  goOn(): Promise<boolean>;
}

/** An epoch that is to begin: its empty snapshot and its first commit. */
export interface StagedEpoch {
  readonly snapshot: StoredSnapshot;
  readonly commit: Commit;
}

/** A plan that a conversation ran, with the sources it was compiled from. */
export interface StoredPlan {
  readonly plan: Plan;
  readonly sources: Readonly<Record<string, string>>;
}

/**
 * A commit of a run, kept for looking back. `cut` is its size in characters when it was too large to be kept whole; `thin`: not
 * even all of its steps are.
 */
export interface TraceLine {
  readonly n: number;
  readonly at: Instant;
  readonly entries: readonly Entry[];
  readonly events: readonly Event[];
  readonly cut?: number;
  readonly thin?: true;
}

/** What is kept of a run's commits, in order; `dropped` of them went before. */
export interface RunTrace {
  readonly dropped: number;
  readonly lines: readonly TraceLine[];
}

/** Who closed a conversation and why; kept beside it in the trash. */
export interface Trashed {
  readonly at: Instant;
  readonly by: Actor;
  /** That of a person's close, which may be sent again. */
  readonly receipt: Receipt | null;
  /** One sentence, when it was not a person who closed it. */
  readonly why: string | null;
}

/** A conversation in the trash. */
export interface InTrash {
  /** Its name there. */
  readonly name: string;
  readonly note: Trashed;
  readonly record: ConversationRecord;
}

/** What could not be read. */
export interface Quarantined {
  /** Its name under `quarantine/`, or the conversation's while it is still in its place. */
  readonly name: string;
  readonly at: Instant;
  /** One sentence. */
  readonly why: string;
  /** It could not be read for a reason that may pass, and was left where it is. */
  readonly inPlace: boolean;
}

/** One conversation's truth, plus the list. Every method rejects with `DiskError` when the disk fails. */
export interface Store {
  /** Opens or opens anew; `null` when there is no such conversation. Rejects with `DamagedFile` when it cannot be read. */
  open(c: ConversationId): Promise<OpenedConversation | null>;
  /**
   * Compare-and-set: `after` is the number of the last commit the writer has handed in. Resolves when durable. Commits
   * handed in while another is under way keep their order. After a rejection the conversation must be opened anew.
   */
  commit(c: ConversationId, fence: number, after: number, commit: Commit): Promise<CommitResult>;
  /** Replaces the snapshot; `conflict` when it does not hold the last commit. */
  snapshot(c: ConversationId, fence: number, snapshot: StoredSnapshot): Promise<CommitResult>;
  /** Bytes of commits since the last snapshot. */
  grown(c: ConversationId): number;
  /** Keeps the last `keep` events; resolves to the new boundary. */
  trim(c: ConversationId, keep: number): Promise<Cursor>;
  events(c: ConversationId, after: Cursor | null, limit: number): Promise<EventPage | Recovery>;
  /**
   * The last `turns` turns below `before`, of the epoch that they lie in; the latest of the current epoch when it is `null`.
   * What lies in earlier epochs is read as well as it can be.
   */
  history(c: ConversationId, before: number | null, turns: number): Promise<HistoryPage>;
  receipt(c: ConversationId, id: CommandId): Promise<Receipt | null>;
  /** The plan of that digest, if this conversation ever ran it. */
  plan(c: ConversationId, digest: Digest): Promise<StoredPlan | null>;
  /** Keeps a plan; durable before a commit may name it. */
  keepPlan(c: ConversationId, digest: Digest, plan: StoredPlan): Promise<void>;
  /** A version of an artifact of the current epoch, as it is stored; `null` when there is none or it cannot be read. */
  artifact(c: ConversationId, name: string, version: number): Promise<ArtifactVersion | null>;
  /** Keeps a version of an artifact; durable before a commit may name it, and never written again once one does. */
  keepArtifact(c: ConversationId, version: ArtifactVersion): Promise<void>;
  /** The runs of the current epoch of which there is a trace, oldest first. */
  runs(c: ConversationId): Promise<readonly RunId[]>;
  /** What is kept of a run's commits; `null` when nothing is. Best effort: a crash of the machine may leave a gap. */
  trace(c: ConversationId, run: RunId): Promise<RunTrace | null>;
  /** The directory of a node's backend, created. */
  directory(c: ConversationId, node: string): Promise<string>;
  /** Writes down what was refused or replayed. Best effort: it never rejects. */
  audit(c: ConversationId, line: AuditLine): void;
  /** What of it is kept in the current epoch, oldest first. */
  audited(c: ConversationId): Promise<readonly AuditLine[]>;
  /** Removes what a stop left half made. Called once, before anything else. */
  sweep(): Promise<void>;
  create(record: ConversationRecord): Promise<void>;
  update(record: ConversationRecord): Promise<void>;
  /**
   * Begins another epoch, which `record` names. The conversation must be opened anew afterwards, whether or not it
   * resolves; after a rejection it is in the old epoch or in the new one.
   */
  reset(record: ConversationRecord, epoch: StagedEpoch): Promise<void>;
  /** Moves a conversation into the trash, in one step. */
  trash(c: ConversationId, note: Trashed): Promise<void>;
  /** What lies in the trash and can be restored, the latest first. */
  inTrash(): Promise<readonly InTrash[]>;
  /** The state in which a conversation was closed that is in the trash. Rejects with `DamagedFile`. */
  viewInTrash(entry: InTrash): Promise<ConversationView>;
  /** Brings back what has that name in the trash, in one step; the record then says who did. */
  restore(name: string, note: RestoredNote): Promise<void>;
  /** Removes what has that name in the trash, for good. */
  discard(name: string): Promise<void>;
  /** Bytes on the disk of what has that name in that part of the home. */
  bytes(part: 'conversations' | 'trash' | 'quarantine', name: string): Promise<number>;
  /**
   * Mends a conversation whose record or state is damaged, which nobody may have open. Resolves to whether it can be opened
   * now; `false` when nothing is left to go by.
   */
  mend(c: ConversationId): Promise<boolean>;
  /** Puts a conversation that cannot be read where nobody loses it. `why` is one sentence. */
  setAside(c: ConversationId, why: string): Promise<void>;
  /**
   * As last written; a conversation that is open may be further on. What is damaged is set aside. Of many conversations, what
   * was changed by hand since a service last looked may be told otherwise until `check` has been there. `onLong` is called when
   * so many must be read first that a start should not wait for it.
   */
  list(filter: ListFilter, onLong?: () => void): Promise<readonly StoredRow[]>;
  /** Looks, once, at what `list` took for granted; no conversation is open while it is looked at. */
  check(look: RowCheck): Promise<void>;
  /** One row, read anew; `null` when there is no such conversation or it cannot be read. */
  row(c: ConversationId): Promise<StoredRow | null>;
  /**
   * The view of a conversation that nobody has open, as it was left at rest; `null` when there is none, or when only opening
   * it tells how it stands. Rejects with `DamagedFile` too.
   */
  viewAtRest(c: ConversationId): Promise<ConversationView | null>;
  /** What cannot be read: first what was set aside, oldest first, then what is still in its place. */
  quarantined(): Promise<readonly Quarantined[]>;
  /** Writes what is held back and gives the conversation's files back. */
  release(c: ConversationId): Promise<void>;
}

/** Who may run effects. `fence` rises with every lease and is written into every commit. */
export interface Lease {
  drive(
    c: ConversationId,
  ): Promise<{ readonly fence: number; readonly lost: AbortSignal; release(): Promise<void> }>;
}

/** Bodies, attachments, long text, session files. */
export interface Blobs {
  put(c: ConversationId, bytes: Uint8Array): Promise<Digest>;
  get(c: ConversationId, digest: Digest): Promise<Uint8Array | null>;
  /**
   * The absolute path of a copy under its own name, for programs to read; made anew where it is not what it was. `null`
   * when there is no such blob. Whoever writes to it changes nothing of the conversation.
   */
  copy(c: ConversationId, file: Pick<BlobRef, 'blob' | 'name'>): Promise<string | null>;
}

/** Drafts, wake-ups and events to whoever is attached. Delivery is best effort; the log is the truth. */
export interface Bus {
  publish(c: ConversationId, frame: Frame): void;
  subscribe(c: ConversationId, on: (frame: Frame) => void): () => void;
}
