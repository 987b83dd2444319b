/**
 * Who may write the home of a simulation. The lock is the real one, on a file of its own, and each service takes it as a
 * process would; what a process leaves when it dies, the system frees. Whoever writes without it is found by its writes.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Disk } from '@hearth/store/disk.ts';
import { acquireHomeLock } from '@hearth/store/lock.ts';
import { tempDirectory } from '../support/temp.ts';
import { Broken } from './history.ts';

/** The calls of a disk that change it. */
const WRITES: ReadonlySet<PropertyKey> = new Set<keyof Disk>([
  'write',
  'append',
  'rename',
  'truncate',
  'remove',
  'makeDirectory',
]);

/** Locks that no simulation uses now. A file of its own for each would take longer than many a step. */
const unused: string[] = [];

function unusedLock(): string {
  const path = unused.pop();
  // Whoever removes what tests made removes these too.
  return path !== undefined && existsSync(path) ? path : join(tempDirectory('simulated'), 'lock.sqlite');
}

/** One service's claim on the home, until its end. */
export interface Claim {
  /** Told of each call to the disk, by its name. */
  readonly called: (name: PropertyKey) => void;
  readonly end: () => void;
}

export class OneWriter {
  readonly #lock = unusedLock();
  readonly #onBroken: (broken: Broken) => void;
  /** Claims that were granted and have not ended. */
  readonly #granted = new Set<Claim>();
  #writer: Claim | null = null;
  /** Starts that were refused, since a service was there. */
  refused = 0;

  constructor(onBroken: (broken: Broken) => void) {
    this.#onBroken = onBroken;
  }

  /** What a start does first; `null` when another serves the home already. */
  claim(): Claim | null {
    const lock = acquireHomeLock(this.#lock, 0);
    if (lock === null) {
      this.refused += 1;
      if (this.#granted.size === 0)
        this.#onBroken(new Broken(9, 'nobody serves the home and none may start'));
      return null;
    }
    const claim: Claim = {
      called: name => {
        if (!WRITES.has(name) || !this.#granted.has(claim)) return;
        if (this.#writer !== null && this.#writer !== claim)
          this.#onBroken(new Broken(9, `two services write the home (${String(name)})`));
        this.#writer = claim;
      },
      end: () => {
        this.#granted.delete(claim);
        if (this.#writer === claim) this.#writer = null;
        lock.release();
      },
    };
    this.#granted.add(claim);
    return claim;
  }

  /** Ends every claim. The lock is another simulation's from then on. */
  close(): void {
    for (const claim of this.#granted) claim.end();
    unused.push(this.#lock);
  }
}
