/**
 * Where lines of an ordered file are known to start: a bounded memory of what earlier reads found, so that a reader who
 * goes on from page to page need not look for its place again. An entry says that every line before `at` lies below
 * `seq` and the line at `at` does not. Nothing is lost when an entry is forgotten.
 */

/** The bytes between which a place must lie. */
export interface Between {
  readonly low: number;
  readonly high: number;
}

interface Entry {
  readonly seq: number;
  readonly at: number;
}

/** Entries that are kept; beyond that every other one is forgotten. */
export const INDEX_LIMIT = 1024;

/** At most `INDEX_LIMIT` places of one file. Whoever rewrites the file must `clear` it. */
export class OffsetIndex {
  /** By `seq`, each once. */
  #entries: Entry[] = [];

  /** Remembers that the first line that is not below `seq` starts at `at`. */
  add(seq: number, at: number): void {
    const index = this.#search(seq);
    if (this.#entries[index]?.seq === seq) return;
    this.#entries.splice(index, 0, { seq, at });
    if (this.#entries.length > INDEX_LIMIT)
      this.#entries = this.#entries.filter((_, place) => place % 2 === 0);
  }

  /** Narrows the place of the first line that is not below `seq`; `low` equals `high` when it is known. */
  narrow(seq: number, within: Between): Between {
    const index = this.#search(seq);
    const above = this.#entries[index];
    if (above?.seq === seq) return { low: above.at, high: above.at };
    return { low: this.#entries[index - 1]?.at ?? within.low, high: above?.at ?? within.high };
  }

  /** Forgets everything: the file is another one. */
  clear(): void {
    this.#entries = [];
  }

  /** How many entries are kept. */
  get size(): number {
    return this.#entries.length;
  }

  /** The place of the first entry that is not below `seq`. */
  #search(seq: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.seq ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
