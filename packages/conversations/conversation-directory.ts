/**
 * Where everything of a home lies. Every path of a conversation is made here, so that a conversation is one directory
 * and leaves as one.
 */
import { join, sep } from 'node:path';
import type { ConversationId, Digest } from '@hearth/protocol/ids.ts';

/** The names at the top of a home that belong to conversations. */
export interface HomeDirectory {
  readonly root: string;
  /** Written last when a home is initialised; absent means that it was never finished. */
  readonly mark: string;
  /** Commands that name no conversation. */
  readonly receipts: string;
  readonly conversations: string;
  readonly trash: string;
  readonly quarantine: string;
  /** When the service last looked at the clock. */
  readonly seen: string;
  /** The rows of the list as they were last read: a cache. */
  readonly index: string;
  /** Which conversations that cache may be behind on. */
  readonly behind: string;
}

/** The paths of one conversation, absolute. `root` may lie in the home, in the trash or in quarantine. */
export interface ConversationDirectory {
  readonly root: string;
  readonly record: string;
  /** Accepted commands of all epochs. */
  readonly receipts: string;
  readonly epochs: string;
  /** Who closed it; only what lies in the trash needs it. */
  readonly trashed: string;
}

/** The paths of one epoch, absolute. Its journals have a path each: `journalPath`. */
export interface EpochDirectory {
  readonly root: string;
  readonly snapshot: string;
  readonly events: string;
  readonly transcript: string;
  readonly plans: string;
  readonly blobs: string;
  /** Copies of attached files under their own names; made when they are wanted. */
  readonly files: string;
  readonly artifacts: string;
  readonly backend: string;
  readonly audit: string;
  readonly traces: string;
}

/** What a conversation that is still being staged is called; such a directory is removed at boot. */
const STAGED = '.new-';

/** The paths of a home; `root` is absolute. Nothing is looked at. */
export function homeDirectory(root: string): HomeDirectory {
  return {
    root,
    mark: join(root, 'home.json'),
    receipts: join(root, 'receipts.jsonl'),
    conversations: join(root, 'conversations'),
    trash: join(root, 'trash'),
    quarantine: join(root, 'quarantine'),
    seen: join(root, 'retention.json'),
    index: join(root, 'index.json'),
    behind: join(root, 'behind.txt'),
  };
}

/** Where a conversation lies while it exists. */
export function conversationPath(home: HomeDirectory, id: ConversationId): string {
  return under(home.conversations, id);
}

/** Where a conversation is put together before the rename that makes it exist. */
export function stagedPath(home: HomeDirectory, id: ConversationId): string {
  return join(home.conversations, `${STAGED}${id}`);
}

/** Whether a name is that of a conversation which was never finished; a boot removes those. */
export function isStaged(name: string): boolean {
  return name.startsWith(STAGED);
}

/** The record below a conversation's root. */
export function recordPath(conversation: string): string {
  return under(conversation, 'conversation.json');
}

/** The paths of the conversation at `root`. */
export function conversationDirectory(root: string): ConversationDirectory {
  return {
    root,
    record: recordPath(root),
    receipts: join(root, 'receipts.jsonl'),
    epochs: join(root, 'epochs'),
    trashed: join(root, 'trash.json'),
  };
}

/** Where an epoch's state is: all that the list needs of it. */
export function stateOfEpoch(conversation: string, epoch: number): Pick<EpochDirectory, 'root' | 'snapshot'> {
  const root = under(conversation, `epochs${sep}${epoch}`);
  return { root, snapshot: under(root, 'snapshot.json') };
}

/** The paths of an epoch, whether or not it exists. */
export function epochDirectory(
  conversation: Pick<ConversationDirectory, 'root'>,
  epoch: number,
): EpochDirectory {
  const { root, snapshot } = stateOfEpoch(conversation.root, epoch);
  return {
    root,
    snapshot,
    events: join(root, 'events.jsonl'),
    transcript: join(root, 'transcript.jsonl'),
    plans: join(root, 'plans'),
    blobs: join(root, 'blobs'),
    files: join(root, 'files'),
    artifacts: join(root, 'artifacts'),
    backend: join(root, 'backend'),
    audit: join(root, 'audit.jsonl'),
    traces: join(root, 'traces'),
  };
}

/** The journal of a generation: the snapshot of the same number says where it begins. */
export function journalPath(epoch: Pick<EpochDirectory, 'root'>, generation: number): string {
  return under(epoch.root, `journal.${generation}.jsonl`);
}

/** The generation that a file name in an epoch's directory belongs to; `null` for every other file. */
export function generationOf(name: string): number | null {
  const found = /^journal\.(\d+)\.jsonl$/.exec(name);
  return found ? Number(found[1]) : null;
}

/** Where a plan of the epoch is kept, by its digest. */
export function planPath(epoch: EpochDirectory, digest: Digest): string {
  return join(epoch.plans, `${hexOf(digest)}.json`);
}

/** Where a long text or a file of the epoch is kept, by its digest. */
export function blobPath(epoch: EpochDirectory, digest: Digest): string {
  return join(epoch.blobs, hexOf(digest));
}

/** Where the copy of an attached file is; what is no letter, digit, `_`, `-` or `.` in its name becomes `_`. */
export function filePath(epoch: EpochDirectory, digest: Digest, name: string): string {
  const plain = name
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\.+/, '_')
    .slice(-NAME_CHARS);
  return join(epoch.files, hexOf(digest), plain === '' ? '_' : plain);
}

/** Letters of a file's name that its copy keeps: the last, with what tells its kind. */
const NAME_CHARS = 100;

/** An artifact's name is a word of the language, which a path takes as it is. */
export function artifactPath(epoch: EpochDirectory, name: string, version: number): string {
  return join(epoch.artifacts, name, `${version}.json`);
}

/** A node's name is its author's, so what is no letter, digit, `_` or `-` in it is written as its code. */
export function backendPath(epoch: EpochDirectory, node: string): string {
  const name = node.replace(/[^A-Za-z0-9_-]/g, letter => `%${letter.charCodeAt(0).toString(16)}`);
  return join(epoch.backend, name);
}

/** `join` without its search for dots, of which these names have none: the list makes tens of thousands of paths. */
function under(directory: string, name: string): string {
  return `${directory}${sep}${name}`;
}

/** An instant as a part of a file name. */
export function stampOf(at: string): string {
  return at.replace(/[:.]/g, '-');
}

function hexOf(digest: Digest): string {
  return digest.slice('sha256:'.length);
}
