/**
 * Whether the clock can be believed when ages are judged: pure. A clock that was set wrong would make everything old at
 * once, and nobody could tell it from a long absence. So after a jump nothing is removed for its age until the service
 * has seen the new time for a day.
 */
import { DAY_MS } from './retention.ts';

/** What is remembered between passes. Milliseconds since the Unix epoch. */
export interface Seen {
  /** When the service last looked. */
  readonly at: number;
  /** Until when the clock is in doubt; `null` when it is not. */
  readonly doubtedUntil: number | null;
}

/** A step forward that is a jump: longer than a machine usually sleeps. */
export const JUMP_MS = 7 * DAY_MS;
/** A step back that is more than a clock's own correction. */
const BACK_MS = 60_000;

/** What is to be remembered of this look, and whether ages may be judged. */
export interface ClockVerdict {
  readonly seen: Seen;
  /** Why ages are not judged now, one sentence; `null` when they are. */
  readonly doubt: string | null;
}

/**
 * `before` is `null` when nothing is remembered and there is nothing to compare with. `awake` is for how many
 * milliseconds the service has worked since; that much is no jump.
 */
export function judgeClock(before: Seen | null, now: number, awake: number): ClockVerdict {
  if (before === null) return { seen: { at: now, doubtedUntil: null }, doubt: null };
  const step = now - before.at - awake;
  if (step < -BACK_MS) {
    return {
      seen: { at: now, doubtedUntil: null },
      doubt: `The clock went back from ${told(before.at)} to ${told(now)}, so no age is judged this time.`,
    };
  }
  const until = step > JUMP_MS ? now + DAY_MS : before.doubtedUntil;
  if (until === null || now >= until) return { seen: { at: now, doubtedUntil: null }, doubt: null };
  const days = Math.floor(step / DAY_MS);
  const what = step > JUMP_MS ? `is ${days} days ahead of when the service last looked` : 'jumped lately';
  return {
    seen: { at: now, doubtedUntil: until },
    doubt: `The clock ${what}, so no age is judged before ${told(until)}.`,
  };
}

function told(at: number): string {
  return new Date(at).toISOString();
}
