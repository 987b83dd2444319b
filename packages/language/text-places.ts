import type { Position } from './diagnostic.ts';

/** Finds the line and column of offsets in a text, both 0-based and in code points, without going through it again. */
export class TextPlaces {
  readonly #lineStarts: number[] = [0];
  /** Offsets of the second halves of surrogate pairs. */
  readonly #halves: number[] = [];

  constructor(text: string) {
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === 0x0a) this.#lineStarts.push(at + 1);
      else if ((text.codePointAt(at) ?? 0) > 0xffff) this.#halves.push(at + 1);
    }
  }

  at(offset: number): Position {
    const line = countUpTo(this.#lineStarts, offset) - 1;
    const start = this.#lineStarts[line] ?? 0;
    const pairs = countUpTo(this.#halves, offset - 1) - countUpTo(this.#halves, start - 1);
    return { line, column: offset - start - pairs };
  }
}

/** How many of some sorted numbers are at most `bound`. */
function countUpTo(sorted: readonly number[], bound: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
