/**
 * Conversations in a home directory. Everything is an append or one atomic rename, so that whatever stops the process
 * or the machine leaves each conversation as it was before or after, and never in between.
 *
 * Opening never depends on the disk taking writes: what cannot be repaired now is read as it is, and commits are
 * refused with the disk's own reason until it can be.
 */
import { basename, dirname, join } from 'node:path';
import type { Commit } from '@hearth/engine/commit.ts';
import { initialState } from '@hearth/engine/state.ts';
import type { Cursor } from '@hearth/protocol/cursor.ts';
import { formatCursor } from '@hearth/protocol/cursor.ts';
import type { Event } from '@hearth/protocol/event.ts';
import type { HistoryPage } from '@hearth/protocol/history.ts';
import { type CommandId, ConversationId, type Digest } from '@hearth/protocol/ids.ts';
import type { Receipt } from '@hearth/protocol/receipt.ts';
import type { EventPage, Recovery } from '@hearth/protocol/recovery.ts';
import { DamagedFile, sweepTemps, writeAtomic, writeJson } from '@hearth/store/atomic-file.ts';
import type { Clock } from '@hearth/store/clock.ts';
import { type Disk, DiskError } from '@hearth/store/disk.ts';
import { quiescent } from '@hearth/engine/quiescent.ts';
import { Audit } from './audit.ts';
import { getBlob, putBlob } from './blobs.ts';
import {
  backendPath,
  type ConversationDirectory,
  conversationDirectory,
  conversationPath,
  type EpochDirectory,
  epochDirectory,
  type HomeDirectory,
  homeDirectory,
  isStaged,
  journalPath,
  stagedPath,
  stampOf,
} from './conversation-directory.ts';
import { Epoch, readSnapshot } from './epoch.ts';
import { headerOf, positionOf } from './event-log.ts';
import { keepPlan, readPlan } from './plans.ts';
import type {
  AuditLine,
  Blobs,
  CommitResult,
  ConversationRecord,
  ListFilter,
  OpenedConversation,
  Quarantined,
  Store,
  StoredPlan,
  StoredRow,
  StoredSnapshot,
  Trashed,
} from './ports.ts';
import { Quarantine } from './quarantine.ts';
import { Receipts } from './receipts.ts';
import { readRecord, writeRecord } from './record.ts';
import { matches, rowOf, viewOf } from './view.ts';

/** Directories that are read at the same time when all of them are. */
const READERS = 16;

/** A conversation that is open. */
interface Opened {
  readonly directory: ConversationDirectory;
  readonly files: EpochDirectory;
  readonly receipts: Receipts;
  readonly audit: Audit;
  readonly epoch: Epoch;
}

export class HomeStore implements Store {
  /** Long text and attachments of the same conversations. */
  readonly blobs: Blobs;
  readonly #disk: Disk;
  readonly #home: HomeDirectory;
  readonly #quarantine: Quarantine;
  readonly #opened = new Map<ConversationId, Opened>();
  /** What cannot be read and could not be moved. */
  readonly #stuck = new Map<ConversationId, Quarantined>();

  /** `home` is an absolute path; the directory is made when the first conversation is. */
  constructor(options: { readonly disk: Disk; readonly clock: Clock; readonly home: string }) {
    this.#disk = options.disk;
    this.#home = homeDirectory(options.home);
    this.#quarantine = new Quarantine(options.disk, this.#home.quarantine, options.clock);
    this.blobs = {
      put: (c, bytes) => putBlob(this.#disk, this.#of(c).files, bytes),
      get: (c, digest) => getBlob(this.#disk, this.#of(c).files, digest),
    };
  }

  async sweep(): Promise<void> {
    const names = await this.#disk.list(this.#home.conversations);
    for (const name of names.filter(isStaged)) await this.#disk.remove(join(this.#home.conversations, name));
    await sweepTemps(this.#disk, this.#home.root);
  }

  async open(c: ConversationId): Promise<OpenedConversation | null> {
    const directory = conversationDirectory(conversationPath(this.#home, c));
    if ((await this.#disk.stat(directory.root)) === null) return null;
    const record = await this.#record(c, directory);
    const before = this.#opened.get(c);
    await before?.receipts.close();
    await before?.audit.close();
    const files = epochDirectory(directory, record.epoch);
    const receipts = new Receipts(this.#disk, directory.receipts);
    const context = { disk: this.#disk, directory: files, quarantine: this.#quarantine, receipts };
    const { epoch, snapshot, commits, damage } = await Epoch.open(context, before?.epoch ?? null);
    const audit = new Audit(this.#disk, files.audit);
    this.#opened.set(c, { directory, files, receipts, audit, epoch });
    const { head, boundary } = epoch.events;
    return { record, snapshot, commits, damage, head: formatCursor(head), retained: formatCursor(boundary) };
  }

  commit(c: ConversationId, fence: number, after: number, commit: Commit): Promise<CommitResult> {
    return this.#of(c).epoch.commit(fence, after, commit);
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
    return this.#of(c).epoch.transcript.page(before, turns);
  }

  receipt(c: ConversationId, id: CommandId): Promise<Receipt | null> {
    return this.#of(c).receipts.find(id);
  }

  plan(c: ConversationId, digest: Digest): Promise<StoredPlan | null> {
    return readPlan(this.#disk, this.#of(c).files, digest);
  }

  keepPlan(c: ConversationId, digest: Digest, plan: StoredPlan): Promise<void> {
    return keepPlan(this.#disk, this.#of(c).files, digest, plan);
  }

  async directory(c: ConversationId, node: string): Promise<string> {
    const path = backendPath(this.#of(c).files, node);
    await this.#disk.makeDirectory(path);
    await this.#disk.syncDirectory(dirname(path));
    return path;
  }

  audit(c: ConversationId, line: AuditLine): void {
    this.#of(c).audit.add(line);
  }

  /** Stages the whole directory, then gives it its name. */
  async create(record: ConversationRecord): Promise<void> {
    const staged = conversationDirectory(stagedPath(this.#home, record.id));
    const files = epochDirectory(staged, record.epoch);
    await this.#disk.remove(staged.root);
    for (const path of [files.plans, files.blobs, files.backend]) await this.#disk.makeDirectory(path);
    const created: Event = {
      v: 1,
      seq: 1,
      at: record.createdAt,
      type: 'conversation',
      change: 'created',
      title: record.title,
      bot: record.bot,
      scope: record.scope,
    };
    const boundary = { epoch: record.epoch, seq: 0, check: '000000' };
    const lines = [headerOf(boundary), created].map(line => `${JSON.stringify(line)}\n`).join('');
    await writeAtomic(this.#disk, files.events, new TextEncoder().encode(lines));
    const state = initialState();
    const place = {
      revision: 0,
      retained: formatCursor(boundary),
      head: formatCursor(positionOf(record.epoch, created)),
    };
    const snapshot: StoredSnapshot = {
      ...state,
      format: 1,
      epoch: record.epoch,
      generation: 1,
      commit: 0,
      seq: created.seq,
      view: viewOf(record, state, null, place),
      updatedAt: record.createdAt,
    };
    await writeJson(this.#disk, files.snapshot, snapshot);
    await writeRecord(this.#disk, staged.record, record);
    for (const path of [staged.epochs, staged.root]) await this.#disk.syncDirectory(path);
    await this.#disk.rename(staged.root, conversationPath(this.#home, record.id));
    await this.#disk.syncDirectory(this.#home.conversations);
    await this.#disk.syncDirectory(this.#home.root);
  }

  update(record: ConversationRecord): Promise<void> {
    const directory = conversationDirectory(conversationPath(this.#home, record.id));
    return writeRecord(this.#disk, directory.record, record);
  }

  async trash(c: ConversationId, note: Trashed): Promise<void> {
    await this.release(c);
    const from = conversationPath(this.#home, c);
    await writeJson(this.#disk, join(from, 'trash.json'), { format: 1, id: c, ...note });
    // The trash must be there for good before anything lies in it.
    await this.#disk.makeDirectory(this.#home.trash);
    await this.#disk.syncDirectory(this.#home.root);
    await this.#disk.rename(from, join(this.#home.trash, `${stampOf(note.at)}-${c}`));
    await this.#disk.syncDirectory(this.#home.trash);
    await this.#disk.syncDirectory(this.#home.conversations);
  }

  async list(filter: ListFilter): Promise<readonly StoredRow[]> {
    const names = await this.#disk.list(this.#home.conversations);
    const ids = names.flatMap(name => ConversationId.safeParse(name).data ?? []);
    const rows: StoredRow[] = [];
    const left = ids.values();
    const read = async (): Promise<void> => {
      for (const id of left) {
        const row = await this.#row(id);
        if (row !== null && matches(row, filter)) rows.push(row);
      }
    };
    await Promise.all(Array.from({ length: READERS }, read));
    return rows;
  }

  async quarantined(): Promise<readonly Quarantined[]> {
    return [...(await this.#quarantine.list()), ...this.#stuck.values()];
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

  async trashed(c: ConversationId): Promise<boolean> {
    const names = await this.#disk.list(this.#home.trash);
    return names.some(name => name.endsWith(`-${c}`));
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

  async #row(c: ConversationId): Promise<StoredRow | null> {
    const directory = conversationDirectory(conversationPath(this.#home, c));
    try {
      const record = await this.#record(c, directory);
      const files = epochDirectory(directory, record.epoch);
      const snapshot = await readSnapshot(this.#disk, files);
      const journal = await this.#disk.stat(journalPath(files, snapshot.generation));
      const { title, bot, pinned } = record;
      const view = { ...snapshot.view, title, bot, pinned, isDefault: record.default };
      const settled = (journal?.bytes ?? 0) === 0 && quiescent(snapshot);
      return { ...rowOf(view, snapshot.updatedAt), settled };
    } catch (thrown) {
      if (!(thrown instanceof DamagedFile)) throw thrown;
      const why = `${basename(thrown.path)} of the conversation ${c} cannot be read: ${thrown.why}.`;
      await this.setAside(c, why).catch(() => {
        // On a disk that takes no writes it stays where it is, and is reported all the same.
        this.#stuck.set(c, { name: c, at: '', why });
      });
      return null;
    }
  }
}
