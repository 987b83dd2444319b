import type { CommandId, ConversationId } from '@hearth/protocol/ids.ts';
import { CommandId as CommandIdSchema } from '@hearth/protocol/ids.ts';
import { z } from 'zod';

/*
 * The words of this tab that no service has taken yet, by conversation: what is typed, and what was sent and not judged.
 * They are kept in the tab's storage, so that neither a reload nor the end of a session loses them; a message keeps its
 * command id with them, so that sending it again cannot double it.
 */

const Sent = z.object({
  commandId: CommandIdSchema,
  text: z.string(),
  /** Its words are back in the composer. */
  back: z.boolean(),
});
/** A message that was sent and not judged. */
export type Sent = z.infer<typeof Sent>;

const Kept = z.object({ typed: z.string(), sent: z.array(Sent) });
type Kept = z.infer<typeof Kept>;

const NOTHING: Kept = { typed: '', sent: [] };
const KEY = 'hearth.draft.';

/** The part of the browser's storage that is used. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

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

  type(c: ConversationId, typed: string): void {
    this.#keep(c, { ...this.#of(c), typed });
  }

  /** A message left under this id. */
  send(c: ConversationId, commandId: CommandId, text: string): void {
    const { typed, sent } = this.#of(c);
    const others = sent.filter(one => one.commandId !== commandId);
    this.#keep(c, { typed, sent: [...others, { commandId, text, back: false }] });
  }

  /** Its words are back in the composer, and it is not known whether it arrived. */
  giveBack(c: ConversationId, commandId: CommandId): void {
    const { typed, sent } = this.#of(c);
    const given = sent.map(one => (one.commandId === commandId ? { ...one, back: true } : one));
    this.#keep(c, { typed, sent: given });
  }

  /** It was accepted or refused. */
  settle(c: ConversationId, commandId: CommandId): void {
    const { typed, sent } = this.#of(c);
    if (!sent.some(one => one.commandId === commandId)) return;
    this.#keep(c, { typed, sent: sent.filter(one => one.commandId !== commandId) });
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
      if (kept.typed === '' && kept.sent.length === 0) this.#shelf.removeItem(`${KEY}${c}`);
      else this.#shelf.setItem(`${KEY}${c}`, JSON.stringify(kept));
    } catch {
      // The tab still knows it.
    }
  }
}
