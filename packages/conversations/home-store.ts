/**
 * Conversations in a home directory. Everything is an append or one atomic rename, so that whatever stops the process
 * or the machine leaves each conversation as it was before or after, and never in between.
 *
 * Opening never depends on the disk taking writes: what cannot be repaired now is read as it is, and commits are
 * refused with the disk's own reason until it can be.
 */
import { dirname, join } from 'node:path';
import type { Commit } from '@hearth/engine/commit.ts';
import type { ArtifactVersion } from '@hearth/protocol/artifact.ts';
import type { AuditLine } from '@hearth/protocol/audit.ts';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import { formatCursor, parseCursor } from '@hearth/protocol/cursor.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import { type CommandId, ConversationId, type Digest, type RunId } from '@hearth/protocol/ids.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import type { BlobRef } from '@hearth/protocol/text.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { sha256 } from '@hearth/store/digest.ts';
import { DamagedFile, sweepTemps, writeAtomic } from '@hearth/store/atomic-file.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { earlierEpochs, settleEpochs } from './archives.ts';
import { keepArtifact, readArtifact } from './artifacts.ts';
import { Audit } from './audit.ts';
import { createdEpoch } from './beginnings.ts';
import { getBlob, putBlob } from './blobs.ts';
import {
  backendPath,
  type ConversationDirectory,
  conversationDirectory,
  conversationPath,
  type EpochDirectory,
  epochDirectory,
  filePath,
  type HomeDirectory,
  homeDirectory,
  isStaged,
  planPath,
  stagedPath,
} from './conversation-directory.ts';
import { Epoch } from './epoch.ts';
import { readHistory } from './history.ts';
import { checkOwnPlaces, clearFiles, clearReceipts, makeOwn, sweepEpoch } from './own-places.ts';
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
  RunTrace,
  StagedEpoch,
  Store,
  StoredPlan,
  StoredRow,
  StoredSnapshot,
  Trashed,
} from './ports.ts';
import { Quarantine } from './quarantine.ts';
import { Receipts } from './receipts.ts';
import { readRecord, writeRecord } from './record.ts';
import { listRows } from './row-list.ts';
import { isRow, readRows, type Unreadable } from './row-reader.ts';
import { clearMended, salvage, type SalvageContext } from './salvage.ts';
import { stageEpoch } from './staging.ts';
import { Trash } from './trash.ts';
import { matches } from './view.ts';

/** A conversation that is open. */
interface Opened {
  readonly directory: ConversationDirectory;
  readonly files: EpochDirectory;
  readonly receipts: Receipts;
  readonly audit: Audit;
  readonly number: number;
  readonly epoch: Epoch;
  /** Why nothing may be written; `null` while all is well. */
  readonly failure: unknown;
}

export class HomeStore implements Store {
  /** Long text and attachments of the same conversations. */
  readonly blobs: Blobs;
  readonly #disk: Disk;
  readonly #home: HomeDirectory;
  readonly #quarantine: Quarantine;
  readonly #opened = new Map<ConversationId, Opened>();
  /** What cannot be read and is still in its place. */
  readonly #stuck = new Map<string, Quarantined>();
  readonly #trash: Trash;
  readonly #salvaging: SalvageContext;

  /** `home` is an absolute path; the directory is made when the first conversation is. */
  constructor(options: { readonly disk: Disk; readonly clock: Clock; readonly home: string }) {
    this.#disk = options.disk;
    this.#home = homeDirectory(options.home);
    this.#quarantine = new Quarantine(options.disk, this.#home.quarantine, options.clock);
    this.#salvaging = {
      disk: options.disk,
      clock: options.clock,
      home: this.#home,
      quarantine: this.#quarantine,
    };
    this.#trash = new Trash(options.disk, this.#home, this.#quarantine, (root, id) =>
      salvage(this.#salvaging, root, id),
    );
    this.blobs = {
      put: (c, bytes) => putBlob(this.#disk, this.#of(c).files, bytes),
      get: (c, digest) => this.#blob(this.#of(c), digest),
      copy: (c, file) => this.#copy(this.#of(c), file),
    };
  }

  async sweep(): Promise<void> {
    const names = await this.#disk.list(this.#home.conversations);
    for (const name of names.filter(isStaged)) await this.#disk.remove(join(this.#home.conversations, name));
    await this.#trash.sweep();
    await sweepTemps(this.#disk, this.#home.root);
  }

  async open(c: ConversationId): Promise<OpenedConversation | null> {
    const directory = conversationDirectory(conversationPath(this.#home, c));
    const root = await this.#disk.stat(directory.root);
    if (root === null) return null;
    await checkOwnPlaces(this.#disk, directory);
    const record = await this.#record(c, directory);
    const settled = await settleEpochs(this.#disk, directory, record.epoch, this.#quarantine);
    const before = this.#opened.get(c);
    await before?.receipts.close();
    await before?.audit.close();
    const files = epochDirectory(directory, record.epoch);
    if (settled.failure === null) await clearMended(this.#disk, directory, record);
    const cleared = await clearFiles(this.#disk, directory, files, this.#quarantine);
    if (before === undefined) await sweepEpoch(this.#disk, files);
    const found = new Receipts(this.#disk, directory.receipts);
    const unread = await clearReceipts(this.#disk, directory.receipts, found, this.#quarantine);
    const receipts = unread.length === 0 ? found : new Receipts(this.#disk, directory.receipts);
    const context = { disk: this.#disk, directory: files, quarantine: this.#quarantine, receipts };
    const { epoch, snapshot, commits, damage: damaged } = await Epoch.open(context, before?.epoch ?? null);
    const audit = new Audit(this.#disk, files.audit);
    const { failure } = settled;
    this.#opened.set(c, { directory, files, receipts, audit, number: record.epoch, epoch, failure });
    const { head, boundary } = epoch.events;
    const damage = [
      ...settled.damage,
      ...cleared,
      ...unread,
      ...damaged.filter(one => !cleared.includes(one) && !unread.includes(one)),
    ];
    return { record, snapshot, commits, damage, head: formatCursor(head), retained: formatCursor(boundary) };
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

  async keepPlan(c: ConversationId, digest: Digest, plan: StoredPlan): Promise<void> {
    const { files } = this.#of(c);
    const path = planPath(files, digest);
    if ((await this.#disk.stat(path))?.kind === 'directory')
      await this.#quarantine.move(path, `"${path}" was no file.`);
    return keepPlan(this.#disk, files, digest, plan);
  }

  artifact(c: ConversationId, name: string, version: number): Promise<ArtifactVersion | null> {
    return readArtifact(this.#disk, this.#of(c).files, name, version);
  }

  keepArtifact(c: ConversationId, version: ArtifactVersion): Promise<void> {
    return keepArtifact(this.#disk, this.#of(c).files, version, this.#quarantine);
  }

  async directory(c: ConversationId, node: string): Promise<string> {
    const path = backendPath(this.#of(c).files, node);
    await makeOwn(this.#disk, path, this.#quarantine);
    await this.#disk.syncDirectory(dirname(path));
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
    await stageEpoch(this.#disk, files, createdEpoch(record));
    await writeRecord(this.#disk, staged.record, record);
    for (const path of [staged.epochs, staged.root]) await this.#disk.syncDirectory(path);
    await this.#disk.rename(staged.root, conversationPath(this.#home, record.id));
    await this.#disk.syncDirectory(this.#home.conversations);
    await this.#disk.syncDirectory(this.#home.root);
  }

  /** Stages the epoch, then gives it to the record. */
  async reset(record: ConversationRecord, { snapshot, commit }: StagedEpoch): Promise<void> {
    // The earlier epoch's journal will not be read any more; its receipts and its words must be found all the same.
    const { receipts, epoch } = this.#of(record.id);
    await receipts.keep();
    await epoch.transcript.sync();
    await this.release(record.id);
    const directory = conversationDirectory(conversationPath(this.#home, record.id));
    const files = epochDirectory(directory, record.epoch);
    await this.#disk.remove(files.root);
    const boundary = parseCursor(snapshot.view.head) ?? { epoch: record.epoch, seq: 0, check: '000000' };
    await stageEpoch(this.#disk, files, { snapshot, boundary, events: [], commits: [commit] });
    await this.#disk.syncDirectory(directory.epochs);
    await writeRecord(this.#disk, directory.record, record);
  }

  update(record: ConversationRecord): Promise<void> {
    const directory = conversationDirectory(conversationPath(this.#home, record.id));
    return writeRecord(this.#disk, directory.record, record);
  }

  async trash(c: ConversationId, note: Trashed): Promise<void> {
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

  async list(filter: ListFilter): Promise<readonly StoredRow[]> {
    const names = await this.#disk.list(this.#home.conversations);
    const ids: ConversationId[] = [];
    for (const name of names) {
      const id = ConversationId.safeParse(name).data;
      if (id !== undefined) ids.push(id);
      else if (!isStaged(name)) await this.#foreign(name);
    }
    const rows: StoredRow[] = [];
    for (const { id, row } of await listRows(this.#disk, this.#home, ids)) {
      const found = isRow(row) ? row : await this.#unreadable(id, row);
      if (found !== null) rows.push(found);
    }
    return rows.filter(row => matches(row, filter));
  }

  async row(c: ConversationId): Promise<StoredRow | null> {
    if ((await this.#disk.stat(conversationPath(this.#home, c))) === null) {
      this.#stuck.delete(c);
      return null;
    }
    const [read] = await readRows(this.#disk, this.#home, [c]);
    if (read === undefined) return null;
    const row = isRow(read.row) ? read.row : await this.#unreadable(c, read.row);
    if (row !== null) this.#stuck.delete(c);
    return row;
  }

  async quarantined(): Promise<readonly Quarantined[]> {
    return [...(await this.#quarantine.list()), ...this.#stuck.values()];
  }

  async mend(c: ConversationId): Promise<boolean> {
    await this.release(c);
    return salvage(this.#salvaging, conversationPath(this.#home, c), c);
  }

  async setAside(c: ConversationId, why: string): Promise<void> {
    await this.release(c);
    await this.#quarantine.move(conversationPath(this.#home, c), why);
    this.#stuck.delete(c);
  }

  async release(c: ConversationId): Promise<void> {
    const opened = this.#opened.get(c);
    this.#opened.delete(c);
    await opened?.epoch.close();
    await opened?.receipts.close();
    await opened?.audit.close();
  }

  /** History goes back through all epochs, and so do its long texts. */
  async #blob({ directory, number }: Opened, digest: Digest): Promise<Uint8Array | null> {
    for (const epoch of [number, ...(await earlierEpochs(this.#disk, directory, number))]) {
      const found = await getBlob(this.#disk, epochDirectory(directory, epoch), digest);
      if (found !== null) return found;
    }
    return null;
  }

  /** In the present epoch, so that it leaves with it. */
  async #copy(opened: Opened, { blob, name }: Pick<BlobRef, 'blob' | 'name'>): Promise<string | null> {
    const path = filePath(opened.files, blob, name);
    await makeOwn(this.#disk, dirname(path), this.#quarantine);
    const there = await this.#disk.read(path).catch(() => null);
    if (there !== null && sha256(there) === blob) return path;
    const bytes = await this.#blob(opened, blob);
    if (bytes === null) return null;
    await writeAtomic(this.#disk, path, bytes);
    return path;
  }

  #of(c: ConversationId): Opened {
    const opened = this.#opened.get(c);
    if (opened) return opened;
    const path = conversationPath(this.#home, c);
    throw new DiskError('disk_failed', path, `The conversation ${c} is not open; open it and try again.`);
  }

  async #record(c: ConversationId, directory: ConversationDirectory): Promise<ConversationRecord> {
    const record = await readRecord(this.#disk, directory.record);
    if (record === null) throw new DamagedFile(directory.record, 'it is missing');
    if (record.id !== c) throw new DamagedFile(directory.record, `it is that of ${record.id}`);
    return record;
  }

  /**
   * What is damaged is mended, and set aside where that cannot be; what may be readable another time stays where it is.
   * Resolves to the row of one that was mended; every other one is reported.
   */
  async #unreadable(c: ConversationId, { why, damaged }: Unreadable): Promise<StoredRow | null> {
    try {
      if (damaged && (await this.mend(c))) {
        const [read] = await readRows(this.#disk, this.#home, [c]);
        if (read !== undefined && isRow(read.row)) return read.row;
      }
      if (damaged) {
        await this.setAside(c, why);
        return null;
      }
    } catch (thrown) {
      // On a disk that takes no writes it stays where it is.
      if (!(thrown instanceof DiskError)) throw thrown;
    }
    this.#stuck.set(c, { name: c, at: '', why, inPlace: true });
    return null;
  }

  /** Whatever lies among the conversations and is none belongs to nobody. */
  async #foreign(name: string): Promise<void> {
    const why = `"${name}" lay among the conversations and is none.`;
    const path = join(this.#home.conversations, name);
    const set = await this.#quarantine.move(path, why).then(accepted, refused);
    if (!set) this.#stuck.set(name, { name, at: '', why, inPlace: true });
  }
}

const accepted = (): boolean => true;
const refused = (): boolean => false;
