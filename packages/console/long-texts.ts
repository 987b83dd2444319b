import type { Digest } from '@hearth/protocol/ids.ts';
import type { Text } from '@hearth/protocol/text.ts';
import { bytes } from './text.ts';

/** Characters of one text that are drawn. */
const DRAWN = 200_000;

/**
 * Texts too long for an event: their beginning is drawn at once, the rest when it has been fetched. A text that cannot be
 * fetched stays cut, and says so.
 */
export class LongTexts {
  readonly #fetch: (digest: Digest) => Promise<string>;
  readonly #onArrived: () => void;
  readonly #known = new Map<Digest, string | null>();

  constructor(fetch: (digest: Digest) => Promise<string>, onArrived: () => void) {
    this.#fetch = fetch;
    this.#onArrived = onArrived;
  }

  /** As much of the text as is at hand. */
  readonly whole = (text: Text): string => {
    if (typeof text === 'string') return text;
    const known = this.#known.get(text.blob);
    if (known !== undefined && known !== null) {
      return known.length <= DRAWN
        ? known
        : `${known.slice(0, DRAWN)}\n(cut here: ${bytes(text.bytes)} in all)`;
    }
    if (known === undefined) void this.#load(text.blob);
    return `${text.head}\n(cut here: ${bytes(text.bytes)} in all)`;
  };

  async #load(digest: Digest): Promise<void> {
    this.#known.set(digest, null);
    try {
      this.#known.set(digest, await this.#fetch(digest));
      this.#onArrived();
    } catch {
      // The beginning stays on screen with its note.
    }
  }
}
