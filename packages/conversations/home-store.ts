/**
 * Conversations in a home directory. Everything is an append or one atomic rename, so that whatever stops the process
 * or the machine leaves each conversation as it was before or after, and never in between.
 *
 * Opening never depends on the disk taking writes: what cannot be repaired now is read as it is, and commits are
 * refused with the disk's own reason until it can be.
 */
import { join } from 'node:path';
import type { Commit } from '@hearth/engine/commit.ts';
import type { ArtifactVersion } from '@hearth/protocol/artifact.ts';
import type { AuditLine } from '@hearth/protocol/audit.ts';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import { formatCursor, parseCursor } from '@hearth/protocol/cursor.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import type { CommandId, Digest, RunId } from '@hearth/protocol/ids.ts';
import { ConversationId } from '@hearth/protocol/ids.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { sweepTemps } from '@hearth/store/atomic-file.ts';
import type { Clock } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { DiskError } from '@hearth/store/disk.ts';
import { keepArtifact, readArtifact } from './artifacts.ts';
import { putBlob } from './blobs.ts';
import {
  backendPath,
  conversationDirectory,
  conversationPath,
  epochDirectory,
  homeDirectory,
  isStaged,
  stagedPath,
} from './conversation-directory.ts';
import type { HomeDirectory } from './conversation-directory.ts';
import { readHistory } from './history.ts';
import { blobOf, copied } from './home-blobs.ts';
import type { Opened } from './home-opening.ts';
import { HomeRows } from './home-rows.ts';
import { beginningsPart, openingPart, salvagePart, stagingPart } from './late-parts.ts';
import { makeLasting } from './own-places.ts';
import { keepPlan, readPlan } from './plans.ts';
import type {
  Blobs,
  CommitResult,
  ConversationRecord,
  InTrash,
  ListFilter,
  OpenedConversation,
  Quarantined,
  RestoredNote,
  RowCheck,
  RunTrace,
  StagedEpoch,
  Store,
  StoredPlan,
  StoredRow,
  StoredSnapshot,
  Trashed,
} from './ports.ts';
import { Quarantine } from './quarantine.ts';
import { writeRecord } from './record.ts';
import type { SalvageContext } from './salvage.ts';
import { Trash } from './trash.ts';
import { viewAtRest } from './view-at-rest.ts';

/**
 * The store of one home. The lock of that home must be held; every method rejects with `DiskError` when the disk
 * refuses.
 */
export class HomeStore implements Store {
  /** Long text and attachments of the same conversations. */
  readonly blobs: Blobs;
  readonly #disk: Disk;
  readonly #home: HomeDirectory;
  readonly #quarantine: Quarantine;
  readonly #opened = new Map<ConversationId, Opened>();
  readonly #rows: HomeRows;
  readonly #trash: Trash;
  readonly #salvaging: SalvageContext;

  /** `home` is an absolute path; the directory is made when the first conversation is. */
  constructor(options: { readonly disk: Disk; readonly clock: Clock; readonly home: string }) {
    this.#disk = options.disk;
    this.#home = homeDirectory(options.home);
    this.#quarantine = new Quarantine(options.disk, this.#home.quarantine, options.clock);
    this.#salvaging = { ...options, home: this.#home, quarantine: this.#quarantine };
    this.#trash = new Trash(options.disk, this.#home, this.#quarantine, (root, id) =>
      this.#salvage(root, id),
    );
    this.#rows = new HomeRows(options.disk, this.#home, this.#quarantine, this);
    this.blobs = {
      put: (c, bytes) => putBlob(this.#disk, this.#of(c).files, bytes),
      get: (c, digest) => blobOf(this.#disk, this.#of(c), digest),
      copy: (c, file) => copied(this.#disk, this.#of(c), this.#quarantine, file),
    };
  }

  async sweep(): Promise<void> {
    const names = await this.#disk.list(this.#home.conversations);
    for (const name of names.filter(isStaged)) await this.#disk.remove(join(this.#home.conversations, name));
    await this.#trash.sweep();
    await sweepTemps(this.#disk, this.#home.root);
  }

  async open(c: ConversationId): Promise<OpenedConversation | null> {
    await this.#rows.changing(c);
    const { openedIn } = await openingPart();
    const made = await openedIn(this.#salvaging, c, () => this.#opened.get(c));
    if (made === null) return null;
    this.#opened.set(c, made.files);
    return made.conversation;
  }

  async commit(c: ConversationId, fence: number, after: number, commit: Commit): Promise<CommitResult> {
    const { failure, epoch } = this.#of(c);
    if (failure !== null) throw failure;
    return epoch.commit(fence, after, commit);
  }

  snapshot(c: ConversationId, fence: number, snapshot: StoredSnapshot): Promise<CommitResult> {
    return this.#of(c).epoch.snapshot(fence, snapshot);
  }

  grown(c: ConversationId): number {
    return this.#of(c).epoch.grown;
  }

  async trim(c: ConversationId, keep: number): Promise<Cursor> {
    const { events } = this.#of(c).epoch;
    await events.trim(keep);
    return formatCursor(events.boundary);
  }

  events(c: ConversationId, after: Cursor | null, limit: number): Promise<EventPage | Recovery> {
    return this.#of(c).epoch.events.page(after, limit);
  }

  history(c: ConversationId, before: number | null, turns: number): Promise<HistoryPage> {
    const { directory, number, epoch } = this.#of(c);
    const current = { number, transcript: epoch.transcript };
    return readHistory(this.#disk, directory, current, before, turns);
  }

  receipt(c: ConversationId, id: CommandId): Promise<Receipt | null> {
    return this.#of(c).receipts.find(id);
  }

  plan(c: ConversationId, digest: Digest): Promise<StoredPlan | null> {
    return readPlan(this.#disk, this.#of(c).files, digest);
  }

  keepPlan(c: ConversationId, digest: Digest, plan: StoredPlan): Promise<void> {
    return keepPlan(this.#disk, this.#of(c).files, this.#quarantine, digest, plan);
  }

  artifact(c: ConversationId, name: string, version: number): Promise<ArtifactVersion | null> {
    return readArtifact(this.#disk, this.#of(c).files, name, version);
  }

  keepArtifact(c: ConversationId, version: ArtifactVersion): Promise<void> {
    return keepArtifact(this.#disk, this.#of(c).files, version, this.#quarantine);
  }

  async directory(c: ConversationId, node: string): Promise<string> {
    const { files, made } = this.#of(c);
    const path = backendPath(files, node);
    await makeLasting(this.#disk, path, this.#quarantine, made);
    return path;
  }

  runs(c: ConversationId): Promise<readonly RunId[]> {
    return this.#of(c).epoch.traces.runs();
  }

  trace(c: ConversationId, run: RunId): Promise<RunTrace | null> {
    return this.#of(c).epoch.traces.read(run);
  }

  audit(c: ConversationId, line: AuditLine): void {
    this.#of(c).audit.add(line);
  }

  audited(c: ConversationId): Promise<readonly AuditLine[]> {
    return this.#of(c).audit.read();
  }

  /** Stages the whole directory, then gives it its name. */
  async create(record: ConversationRecord): Promise<void> {
    const staged = conversationDirectory(stagedPath(this.#home, record.id));
    const files = epochDirectory(staged, record.epoch);
    await this.#disk.remove(staged.root);
    const [{ createdEpoch }, { stageEpoch }] = await Promise.all([beginningsPart(), stagingPart()]);
    await stageEpoch(this.#disk, files, createdEpoch(record));
    await writeRecord(this.#disk, staged.record, record);
    for (const path of [staged.epochs, staged.root]) await this.#disk.syncDirectory(path);
    await this.#disk.rename(staged.root, conversationPath(this.#home, record.id));
    await this.#disk.syncDirectory(this.#home.conversations);
    await this.#disk.syncDirectory(this.#home.root);
  }

  /** Stages the epoch, then gives it to the record. */
  async reset(record: ConversationRecord, { snapshot, commit }: StagedEpoch): Promise<void> {
    // The earlier epoch's journal will not be read any more; what it told of must be found all the same.
    const { receipts, epoch } = this.#of(record.id);
    await epoch.rest();
    await receipts.keep();
    const vouched = { ...snapshot, receipts: await receipts.bytes() };
    await this.release(record.id);
    const directory = conversationDirectory(conversationPath(this.#home, record.id));
    const files = epochDirectory(directory, record.epoch);
    await this.#disk.remove(files.root);
    const { stageEpoch } = await stagingPart();
    const boundary = parseCursor(snapshot.view.head) ?? { epoch: record.epoch, seq: 0, check: '000000' };
    await stageEpoch(this.#disk, files, { snapshot: vouched, boundary, events: [], commits: [commit] });
    await this.#disk.syncDirectory(directory.epochs);
    await writeRecord(this.#disk, directory.record, record);
  }

  update(record: ConversationRecord): Promise<void> {
    const directory = conversationDirectory(conversationPath(this.#home, record.id));
    return writeRecord(this.#disk, directory.record, record);
  }

  async trash(c: ConversationId, note: Trashed): Promise<void> {
    await this.#rows.changing(c);
    await this.release(c);
    await this.#trash.put(c, note);
  }

  inTrash(): Promise<readonly InTrash[]> {
    return this.#trash.list();
  }

  viewInTrash(entry: InTrash): Promise<ConversationView> {
    return this.#trash.view(entry);
  }

  restore(name: string, note: RestoredNote): Promise<void> {
    return this.#trash.restore(name, note);
  }

  discard(name: string): Promise<void> {
    return this.#trash.discard(name);
  }

  bytes(part: 'conversations' | 'trash' | 'quarantine', name: string): Promise<number> {
    return this.#disk.usage(join(this.#home[part], name));
  }

  list(filter: ListFilter, onLong?: () => void): Promise<readonly StoredRow[]> {
    return this.#rows.list(filter, onLong);
  }

  check(look: RowCheck): Promise<void> {
    return this.#rows.check(look);
  }

  row(c: ConversationId): Promise<StoredRow | null> {
    return this.#rows.row(c);
  }

  viewAtRest(c: ConversationId): Promise<ConversationView | null> {
    return viewAtRest(this.#disk, this.#home, c);
  }

  quarantined(): Promise<readonly Quarantined[]> {
    return this.#rows.quarantined();
  }

  async mend(c: ConversationId): Promise<boolean> {
    await this.#rows.mending(c);
    await this.release(c);
    return this.#salvage(conversationPath(this.#home, c), c);
  }

  async setAside(c: ConversationId, why: string): Promise<void> {
    await this.#rows.mending(c);
    await this.release(c);
    await this.#quarantine.move(conversationPath(this.#home, c), why);
    this.#rows.left(c);
  }

  async release(c: ConversationId): Promise<void> {
    const opened = this.#opened.get(c);
    this.#opened.delete(c);
    await opened?.epoch.close();
    await opened?.receipts.close();
    await opened?.audit.close();
  }

  async #salvage(root: string, c: ConversationId): Promise<boolean> {
    const { salvage } = await salvagePart();
    return salvage(this.#salvaging, root, c);
  }

  #of(c: ConversationId): Opened {
    const opened = this.#opened.get(c);
    if (opened) return opened;
    const path = conversationPath(this.#home, c);
    throw new DiskError('disk_failed', path, `The conversation ${c} is not open; open it and try again.`);
  }
}
