/**
 * How many bytes everything holds. Each is measured when it is first asked for, and again only after it has grown; what
 * lies in the trash never grows.
 */
import type { ConversationId } from '@hearth/protocol/ids.ts';
import { LaneError } from './lane-error.ts';
import type { Store } from './ports.ts';

export class Accounts {
  readonly #store: Store;
  readonly #conversations = new Map<ConversationId, number>();
  readonly #trash = new Map<string, number>();
  #closed = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Something was written there. */
  grown(id: ConversationId): void {
    this.#conversations.delete(id);
  }

  of(id: ConversationId): Promise<number> {
    return this.#measured(this.#conversations, id, () => this.#store.bytes({ conversation: id }));
  }

  inTrash(name: string): Promise<number> {
    return this.#measured(this.#trash, name, () => this.#store.bytes({ trash: name }));
  }

  /** Forgets what is not there any more. */
  keep(ids: ReadonlySet<string>, names: ReadonlySet<string>): void {
    for (const id of this.#conversations.keys()) if (!ids.has(id)) this.#conversations.delete(id);
    for (const name of this.#trash.keys()) if (!names.has(name)) this.#trash.delete(name);
  }

  /** Nothing is measured any more; whoever asks is refused. */
  close(): void {
    this.#closed = true;
  }

  async #measured<K>(known: Map<K, number>, key: K, measure: () => Promise<number>): Promise<number> {
    if (this.#closed) throw new LaneError('closed', 'Hearth is stopping; try again in a moment.');
    const found = known.get(key);
    if (found !== undefined) return found;
    const bytes = await measure();
    known.set(key, bytes);
    return bytes;
  }
}
