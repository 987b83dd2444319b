/**
 * `trash/<time>-<id>/`: conversations that were closed or removed, whole, each beside who did it.
 *
 * - A conversation is in its place or in the trash, never in both and never in neither: one rename moves it.
 * - What is removed for good gets another name first, so that nobody restores a half of it.
 */
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Actor } from '@hearth/protocol/actor.ts';
import { ConversationId, Instant } from '@hearth/protocol/ids.ts';
import { Receipt } from '@hearth/protocol/receipt.ts';
import type { ConversationView } from '@hearth/protocol/view.ts';
import { DamagedFile, readJson, writeJson } from '@hearth/store/atomic-file.ts';
import type { Disk } from '@hearth/store/disk.ts';
import {
  conversationDirectory,
  conversationPath,
  epochDirectory,
  type HomeDirectory,
  stampOf,
} from './conversation-directory.ts';
import { clearPlace, makeOwn } from './own-places.ts';
import type { InTrash, RestoredNote, Trashed } from './ports.ts';
import type { Quarantine } from './quarantine.ts';
import { readRecord, writeRecord } from './record.ts';
import { readSnapshot } from './snapshot.ts';

/** What is being removed for good; swept at boot. */
const GONE = '.gone-';

const Note: z.ZodType<Trashed> = z.object({
  at: Instant,
  by: Actor,
  receipt: Receipt.nullable().default(null),
  why: z.string().nullable().default(null),
});

type Mend = (root: string, id: ConversationId) => Promise<boolean>;

/** The conversation that a name in the trash is of; `null` when it is no such name. */
export function idInTrash(name: string): ConversationId | null {
  return ConversationId.safeParse(/^.+-(c_[^-]+)$/.exec(name)?.[1]).data ?? null;
}

/** Of one that does not say any more who closed it: when, by its name. */
function noteFrom(name: string): Trashed | null {
  const found = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z-/.exec(name);
  if (found === null) return null;
  const [, hour, minute, second, ms] = found;
  const by = { kind: 'service', name: 'hearth', surface: 'service' } as const;
  const why = 'Who closed it cannot be read any more.';
  return { at: `${hour}:${minute}:${second}.${ms}Z`, by, receipt: null, why };
}

/** The trash of one home. Names are those of its directories; `list` gives them with what is in them. */
export class Trash {
  readonly #disk: Disk;
  readonly #home: HomeDirectory;
  readonly #quarantine: Quarantine;
  readonly #mend: Mend;
  /** What was read before; nothing in the trash changes. */
  #known = new Map<string, InTrash>();

  /** `mend` makes a damaged record or state again; see `salvage.ts`. */
  constructor(disk: Disk, home: HomeDirectory, quarantine: Quarantine, mend: Mend) {
    this.#disk = disk;
    this.#home = home;
    this.#quarantine = quarantine;
    this.#mend = mend;
  }

  /** Moves a conversation here that nobody has open; durable when it resolves. */
  async put(c: ConversationId, note: Trashed): Promise<void> {
    const from = conversationDirectory(conversationPath(this.#home, c));
    await writeJson(this.#disk, from.trashed, { format: 1, id: c, ...note });
    // The trash must be there for good before anything lies in it.
    await makeOwn(this.#disk, this.#home.trash, this.#quarantine);
    await this.#disk.syncDirectory(this.#home.root);
    const name = `${stampOf(note.at)}-${c}`;
    this.#known.delete(name);
    await this.#rename(from.root, join(this.#home.trash, name));
  }

  /**
   * What can be restored, the latest first. What is damaged is set aside, since nobody could restore it; so is what lies in
   * the place of the trash and is no directory.
   */
  async list(): Promise<readonly InTrash[]> {
    await clearPlace(this.#disk, this.#home.trash, this.#quarantine);
    const names = (await this.#disk.list(this.#home.trash)).filter(name => !name.startsWith('.'));
    const found: InTrash[] = [];
    for (const name of names) {
      try {
        found.push(this.#known.get(name) ?? (await this.#entry(name)));
      } catch (thrown) {
        // Another failure may pass; then it is there again.
        if (!(thrown instanceof DamagedFile)) continue;
        const why = `"${name}" in the trash cannot be restored: ${thrown.why}.`;
        await this.#quarantine.move(join(this.#home.trash, name), why).catch(() => undefined);
      }
    }
    this.#known = new Map(found.map(entry => [entry.name, entry]));
    return found.reverse();
  }

  /** Brings a conversation back. The record tells who did until the log does. */
  async restore(name: string, note: RestoredNote): Promise<void> {
    const from = conversationDirectory(join(this.#home.trash, name));
    const record = await readRecord(this.#disk, from.record);
    if (record === null) return;
    await writeRecord(this.#disk, from.record, { ...record, default: false, restored: note });
    const to = conversationPath(this.#home, record.id);
    await this.#disk.makeDirectory(this.#home.conversations);
    await this.#rename(from.root, to);
    // Only a note, and the next close writes another.
    await this.#disk.remove(conversationDirectory(to).trashed).catch(() => undefined);
  }

  async discard(name: string): Promise<void> {
    const gone = join(this.#home.trash, `${GONE}${name}`);
    await this.#disk.rename(join(this.#home.trash, name), gone);
    await this.#disk.syncDirectory(this.#home.trash);
    await this.#disk.remove(gone);
  }

  /** Finishes what a stop left half removed. */
  async sweep(): Promise<void> {
    const names = await this.#disk.list(this.#home.trash);
    for (const name of names.filter(one => one.startsWith(GONE)))
      await this.#disk.remove(join(this.#home.trash, name));
  }

  /** The state in which a conversation was closed. Rejects with `DamagedFile`. */
  async view({ name, record }: InTrash): Promise<ConversationView> {
    const directory = conversationDirectory(join(this.#home.trash, name));
    const { view } = await readSnapshot(this.#disk, epochDirectory(directory, record.epoch));
    const { title, bot, pinned } = record;
    return { ...view, title, bot, pinned, isDefault: false };
  }

  async #entry(name: string): Promise<InTrash> {
    const directory = conversationDirectory(join(this.#home.trash, name));
    // A link would have another's files changed when it is brought back.
    if ((await this.#disk.stat(directory.root))?.kind !== 'directory')
      throw new DamagedFile(directory.root, 'it is not a directory');
    const note = (await unlessDamaged(readJson(this.#disk, directory.trashed, Note))) ?? noteFrom(name);
    if (note === null) throw new DamagedFile(directory.trashed, 'it is missing');
    const id = idInTrash(name);
    let record = await unlessDamaged(readRecord(this.#disk, directory.record));
    if (record === null && id !== null && (await this.#mend(directory.root, id)))
      record = await readRecord(this.#disk, directory.record);
    if (record === null) throw new DamagedFile(directory.record, 'it is missing or cannot be read');
    if (id !== record.id) throw new DamagedFile(directory.record, `it is that of ${record.id}`);
    return { name, note, record };
  }

  async #rename(from: string, to: string): Promise<void> {
    await this.#disk.rename(from, to);
    await this.#disk.syncDirectory(dirname(to));
    await this.#disk.syncDirectory(dirname(from));
  }
}

async function unlessDamaged<T>(work: Promise<T | null>): Promise<T | null> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof DamagedFile) return null;
    throw thrown;
  }
}
