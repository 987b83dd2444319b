/**
 * Compares the clock with when the service last looked at it, across restarts. The look is written down at most once an
 * hour; when none is written, the newest event of the home stands for it.
 */
import { z } from 'zod';
import type { Instant } from '@hearth/protocol/ids.ts';
import { readJson, writeJson } from '@hearth/store/atomic-file.ts';
import type { Clock } from '@hearth/store/clock.ts';
import type { Disk } from '@hearth/store/disk.ts';
import { type ClockVerdict, judgeClock, type Seen } from './last-seen.ts';

/** How often the look is written down, in milliseconds. */
const NOTE_MS = 60 * 60 * 1000;

const SeenFile: z.ZodType<Seen> = z.object({ at: z.number(), doubtedUntil: z.number().nullable() });

/** Asks `last-seen.ts` about the clock of this machine. `look` changes nothing; what it says is kept by `remember`. */
export class ClockWatch {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #clock: Clock;
  #seen: Seen | null = null;
  /** When `#seen` was taken, by the clock that stands still while the machine sleeps. */
  #awake = 0;
  #noted = Number.NEGATIVE_INFINITY;

  constructor(disk: Disk, path: string, clock: Clock) {
    this.#disk = disk;
    this.#path = path;
    this.#clock = clock;
  }

  /** What the clock is worth now; changes nothing. */
  async look(newest: Instant | null): Promise<ClockVerdict> {
    const before = this.#seen ?? (await this.#before(newest));
    const awake = this.#seen === null ? 0 : this.#clock.active() - this.#awake;
    return judgeClock(before, this.#clock.now(), awake);
  }

  /** Remembers a look. That it cannot be written down now is no reason to keep anything. */
  async remember(seen: Seen): Promise<void> {
    const changed = this.#seen?.doubtedUntil !== seen.doubtedUntil;
    this.#seen = seen;
    this.#awake = this.#clock.active();
    if (!changed && Math.abs(seen.at - this.#noted) < NOTE_MS) return;
    this.#noted = seen.at;
    await writeJson(this.#disk, this.#path, seen).catch(() => undefined);
  }

  async #before(newest: Instant | null): Promise<Seen | null> {
    const written = await readJson(this.#disk, this.#path, SeenFile).catch(() => null);
    if (written !== null || newest === null) return written;
    return { at: Date.parse(newest), doubtedUntil: null };
  }
}
