import type { CommandId, ConversationId, PauseId } from '@hearth/protocol/ids.ts';
import { CommandId as CommandIdSchema } from '@hearth/protocol/ids.ts';
import { Attached } from '@hearth/protocol/text.ts';
import { z } from 'zod';

/*
 * The words of this tab that no service has taken yet, by conversation: what is typed, and what was sent and not judged.
 * They are kept in the tab's storage, so that neither a reload nor the end of a session loses them; a message keeps its
 * command id with them, so that sending it again cannot double it.
 */

const Sent = z.object({
  commandId: CommandIdSchema,
  text: z.string(),
  /** The files that went with it. */
  files: z.array(Attached).default([]),
  /** Its words are back in the composer. */
  back: z.boolean(),
});
/** A message that was sent and not judged. */
export type Sent = z.infer<typeof Sent>;

const Kept = z.object({
  typed: z.string(),
  sent: z.array(Sent),
  /** Words beside a card or an input, by its pause. */
  beside: z.record(z.string(), z.string()).default({}),
  /** Files that were uploaded for the next message. */
  files: z.array(Attached).default([]),
});
type Kept = z.infer<typeof Kept>;

const NOTHING: Kept = { typed: '', sent: [], beside: {}, files: [] };
const KEY = 'hearth.draft.';

/** The part of the browser's storage that is used. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The drafts of one tab. A storage that is full or forbidden costs only what a reload would lose. */
export class Drafts {
  readonly #shelf: Shelf;
  /** What is known without the shelf, which may be full or forbidden. */
  readonly #kept = new Map<ConversationId, Kept>();

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  typed(c: ConversationId): string {
    return this.#of(c).typed;
  }

  sent(c: ConversationId): readonly Sent[] {
    return this.#of(c).sent;
  }

  /** Words that are typed beside cards and inputs, by their pauses. */
  beside(c: ConversationId): Readonly<Record<string, string>> {
    return this.#of(c).beside;
  }

  /** Files that go with the next message. */
  files(c: ConversationId): readonly Attached[] {
    return this.#of(c).files;
  }

  attach(c: ConversationId, files: readonly Attached[]): void {
    this.#keep(c, { ...this.#of(c), files: [...files] });
  }

  type(c: ConversationId, typed: string): void {
    this.#keep(c, { ...this.#of(c), typed });
  }

  /** Keeps words that are typed beside a card or an input; no words, nothing is kept. */
  note(c: ConversationId, pause: PauseId, words: string): void {
    const kept = this.#of(c);
    const { [pause]: _before, ...others } = kept.beside;
    this.#keep(c, { ...kept, beside: words === '' ? others : { ...others, [pause]: words } });
  }

  /** A message left under this id. */
  send(c: ConversationId, commandId: CommandId, text: string, files: readonly Attached[] = []): void {
    const kept = this.#of(c);
    const others = kept.sent.filter(one => one.commandId !== commandId);
    this.#keep(c, { ...kept, sent: [...others, { commandId, text, files: [...files], back: false }] });
  }

  /** Its words are back in the composer, and it is not known whether it arrived. */
  giveBack(c: ConversationId, commandId: CommandId): void {
    const kept = this.#of(c);
    const given = kept.sent.map(one => (one.commandId === commandId ? { ...one, back: true } : one));
    this.#keep(c, { ...kept, sent: given });
  }

  /** It was accepted or refused. */
  settle(c: ConversationId, commandId: CommandId): void {
    const kept = this.#of(c);
    if (!kept.sent.some(one => one.commandId === commandId)) return;
    this.#keep(c, { ...kept, sent: kept.sent.filter(one => one.commandId !== commandId) });
  }

  #of(c: ConversationId): Kept {
    const known = this.#kept.get(c);
    if (known !== undefined) return known;
    const read = this.#read(c);
    this.#kept.set(c, read);
    return read;
  }

  #read(c: ConversationId): Kept {
    try {
      return Kept.parse(JSON.parse(this.#shelf.getItem(`${KEY}${c}`) ?? ''));
    } catch {
      return NOTHING;
    }
  }

  #keep(c: ConversationId, kept: Kept): void {
    this.#kept.set(c, kept);
    try {
      const { typed, sent, beside, files } = kept;
      const empty = typed === '' && [sent, files, Object.keys(beside)].every(({ length }) => length === 0);
      if (empty) this.#shelf.removeItem(`${KEY}${c}`);
      else this.#shelf.setItem(`${KEY}${c}`, JSON.stringify(kept));
    } catch {
      // The tab still knows it.
    }
  }
}
