import type { Commit, Snapshot } from '@hearth/engine/commit.ts';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import type { Frame } from '@hearth/protocol/frame.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { CommandId, ConversationId, Digest, Instant } from '@hearth/protocol/ids.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import type { Scope } from '@hearth/protocol/scope.ts';
import type { ConversationRow } from '@hearth/protocol/view.ts';

/*
 * The four ports behind which a conversation lives (shapes I). Locally they are the home directory and its lock; on
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
}

/** What opening a conversation finds. `snapshot` is `null` before the first quiescence of an epoch. */
export interface OpenedConversation {
  readonly record: ConversationRecord;
  readonly snapshot: Snapshot | null;
  /** Commits since the snapshot, in order. */
  readonly commits: readonly Commit[];
  /** What had to be cut or set aside, in words for a person; empty when all was well. */
  readonly damage: readonly { readonly code: string; readonly text: string; readonly serious: boolean }[];
}

export type CommitResult = 'ok' | 'conflict' | 'fenced';

export interface ListFilter {
  readonly scope?: Scope;
  readonly state?: ConversationRow['state'];
  readonly text?: string;
}

/** One conversation's truth, plus the list. */
export interface Store {
  open(c: ConversationId): Promise<OpenedConversation | null>;
  /** Compare-and-set: `after` is the number of the last commit the writer has seen. Resolves when durable. */
  commit(c: ConversationId, fence: number, after: number, commit: Commit): Promise<CommitResult>;
  snapshot(c: ConversationId, fence: number, snapshot: Snapshot): Promise<'ok' | 'fenced'>;
  events(c: ConversationId, after: Cursor | null, limit: number): Promise<EventPage | Recovery>;
  history(c: ConversationId, before: number | null, turns: number): Promise<HistoryPage>;
  receipt(c: ConversationId, id: CommandId): Promise<Receipt | null>;
  create(record: ConversationRecord): Promise<void>;
  update(record: ConversationRecord): Promise<void>;
  trash(c: ConversationId): Promise<void>;
  list(filter: ListFilter): Promise<readonly ConversationRow[]>;
}

/** Who may run effects. `fence` rises with every lease and is written into every commit. */
export interface Lease {
  drive(c: ConversationId): Promise<{ readonly fence: number; readonly lost: AbortSignal; release(): Promise<void> }>;
}

/** Bodies, attachments, long text, session files. */
export interface Blobs {
  put(c: ConversationId, bytes: Uint8Array): Promise<Digest>;
  get(c: ConversationId, digest: Digest): Promise<Uint8Array | null>;
}

/** Drafts, wake-ups and events to whoever is attached. Delivery is best effort; the log is the truth. */
export interface Bus {
  publish(c: ConversationId, frame: Frame): void;
  subscribe(c: ConversationId, on: (frame: Frame) => void): () => void;
}
