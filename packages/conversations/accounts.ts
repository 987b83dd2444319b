/**
 * How many bytes everything holds. Each is measured when it is first asked for, and a conversation again only after it
 * has grown; what lies in the trash or was set aside never grows.
 */
import { LaneError } from './lane-error.ts';
import type { Store } from './ports.ts';

/** One of the three places of a home that are measured. */
export type Part = Parameters<Store['bytes']>[0];

/** Sizes in bytes, by the name of what is measured. Whoever appends to a conversation calls `grown`. */
export class Accounts {
  readonly #store: Store;
  readonly #known: Readonly<Record<Part, Map<string, number>>> = {
    conversations: new Map(),
    trash: new Map(),
    quarantine: new Map(),
  };
  #closed = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Something was written into a conversation. */
  grown(conversation: string): void {
    this.#known.conversations.delete(conversation);
  }

  async of(part: Part, name: string): Promise<number> {
    if (this.#closed) throw new LaneError('closed', 'Hearth is stopping; try again in a moment.');
    const found = this.#known[part].get(name);
    if (found !== undefined) return found;
    const bytes = await this.#store.bytes(part, name);
    this.#known[part].set(name, bytes);
    return bytes;
  }

  /** Forgets what is not there any more. */
  keep(part: Part, names: ReadonlySet<string>): void {
    for (const name of this.#known[part].keys()) if (!names.has(name)) this.#known[part].delete(name);
  }

  /** Nothing is measured any more; whoever asks is refused. */
  close(): void {
    this.#closed = true;
  }
}
