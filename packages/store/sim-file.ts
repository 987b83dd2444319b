/**
 * A file of `SimDisk`: what a reader sees now, what is durable, and the changes between the two. Where a write was lost
 * and a later one was not, the gap reads as zeros.
 */
import type { Survival } from './sim-survival.ts';

type Change =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'cut'; readonly length: number };

interface Pending {
  readonly change: Change;
  /** Its sync failed: the system no longer knows that it is not on the disk, and no later sync writes it. */
  lost: boolean;
}

/** One file of `SimDisk`: its live contents, its durable ones, and what was written since they were the same. */
export class SimFile {
  readonly kind = 'file';
  readonly #live: Extent;
  readonly #durable: Extent;
  #pending: Pending[] = [];

  /** Nobody may change the content any more. */
  constructor(content: Uint8Array = new Uint8Array()) {
    this.#live = new Extent(content);
    this.#durable = new Extent(content);
  }

  get length(): number {
    return this.#live.length;
  }

  read(offset: number, length: number): Uint8Array {
    return this.#live.read(offset, length);
  }

  write(at: number, bytes: Uint8Array): void {
    if (bytes.length > 0) this.#change({ kind: 'write', at, bytes: bytes.slice() });
  }

  cut(length: number): void {
    this.#change({ kind: 'cut', length });
  }

  sync(): void {
    let left: Pending[] = [];
    for (const pending of this.#pending) {
      if (pending.lost) {
        left.push(pending);
        continue;
      }
      this.#durable.apply(pending.change);
      left = left.flatMap(earlier => outlived(earlier, pending.change));
    }
    this.#pending = left;
  }

  failSync(): void {
    for (const pending of this.#pending) pending.lost = true;
  }

  /** What is left of it after a power cut. */
  survivor(survival: Survival): SimFile {
    const content = new Extent(this.#durable.shared());
    for (const { change } of this.#pending) {
      if (change.kind === 'cut') {
        if (survival.cut()) content.apply(change);
        continue;
      }
      const kept = survival.kept(change.bytes.length);
      if (kept > 0) content.apply({ ...change, bytes: change.bytes.subarray(0, kept) });
    }
    return new SimFile(content.shared());
  }

  #change(change: Change): void {
    this.#live.apply(change);
    this.#pending.push({ change, lost: false });
  }
}

/**
 * What is left of a lost change when a later one has reached the disk: nothing brings the same bytes back, and the file ends no
 * sooner than a later change has made it end.
 */
function outlived(earlier: Pending, by: Change): Pending[] {
  const { change } = earlier;
  if (change.kind === 'cut') {
    if (by.kind === 'cut') return [];
    const length = Math.max(change.length, by.at + by.bytes.length);
    return [{ lost: true, change: { kind: 'cut', length } }];
  }
  const from = by.kind === 'cut' ? by.length : by.at;
  const until = by.kind === 'cut' ? Number.POSITIVE_INFINITY : by.at + by.bytes.length;
  const parts = [
    { at: change.at, bytes: change.bytes.subarray(0, Math.max(0, from - change.at)) },
    { at: until, bytes: change.bytes.subarray(Math.max(0, until - change.at)) },
  ];
  return parts
    .filter(({ bytes }) => bytes.length > 0)
    .map(part => ({ lost: true, change: { kind: 'write', ...part } }));
}

/** Bytes that grow in place, so that many small appends stay cheap; those that others have too are copied first. */
class Extent {
  #buffer: Uint8Array;
  #length: number;
  /** Whether nobody else has the buffer. */
  #own = false;

  constructor(content: Uint8Array) {
    this.#buffer = content;
    this.#length = content.length;
  }

  get length(): number {
    return this.#length;
  }

  read(offset: number, length: number): Uint8Array {
    return this.#buffer.slice(offset, Math.min(this.#length, offset + length));
  }

  /** All of it, for another extent: whoever changes it from now on copies it first. */
  shared(): Uint8Array {
    this.#own = false;
    return this.#buffer.subarray(0, this.#length);
  }

  apply(change: Change): void {
    if (change.kind === 'cut') {
      this.#resize(change.length);
      return;
    }
    this.#resize(Math.max(this.#length, change.at + change.bytes.length));
    this.#buffer.set(change.bytes, change.at);
  }

  #resize(length: number): void {
    if (!this.#own || length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, this.#length * 2));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
      this.#own = true;
    }
    // A file that shrinks and grows again reads as zeros in between.
    if (length < this.#length) this.#buffer.fill(0, length, this.#length);
    this.#length = length;
  }
}
