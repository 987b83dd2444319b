import type { Instant } from '@hearth/protocol/ids.ts';
import type { Tries } from '../state.ts';

/*
 * Which failures pass by themselves, and how long they are waited out. Everything else would fail again in the same way,
 * so it waits for a person at once (docs/adr/0048).
 */

interface Patience {
  readonly tries: number;
  /** The first wait in milliseconds; each one after it is twice as long, up to `lastMs`. */
  readonly firstMs: number;
  readonly lastMs: number;
}

const PATIENCE: Readonly<Record<string, Patience | undefined>> = {
  quota: { tries: 3, firstMs: 4000, lastMs: 32_000 },
  overloaded: { tries: 3, firstMs: 4000, lastMs: 32_000 },
  network: { tries: 6, firstMs: 5000, lastMs: 60_000 },
  context_length: { tries: 2, firstMs: 0, lastMs: 0 },
  TOOL_FAILED_TRANSIENT: { tries: 2, firstMs: 2000, lastMs: 4000 },
};

/** A provider that asks for a longer wait leaves the decision to a person. */
const LONGEST_MS = 60_000;
/** How far a wait may be off its length, so that many that failed at once do not come back at once. */
const SPREAD = 0.25;

/** The next attempt after a failure: when, its number and of how many. */
export interface NextTry {
  readonly retryAt: Instant;
  readonly waitMs: number;
  readonly tries: Tries;
  readonly count: number;
  readonly of: number;
}

/** When a failure is tried again by itself; `null` when it is not, or not any more. */
export function nextTry(code: string, at: Instant, tries: Tries = {}, retryAfterMs?: number): NextTry | null {
  const patience = Object.hasOwn(PATIENCE, code) ? PATIENCE[code] : undefined;
  const before = Object.hasOwn(tries, code) ? (tries[code] ?? 0) : 0;
  if (patience === undefined || before >= patience.tries || (retryAfterMs ?? 0) > LONGEST_MS) return null;
  const now = Date.parse(at);
  const step = Math.min(patience.firstMs * 2 ** before, patience.lastMs);
  const waitMs = Math.max(Math.round(step * (1 + SPREAD * spread(now + before))), retryAfterMs ?? 0);
  return {
    retryAt: new Date(now + waitMs).toISOString(),
    waitMs,
    tries: { ...tries, [code]: before + 1 },
    count: before + 1,
    of: patience.tries,
  };
}

/**
 * Whether what shall be tried again is due, both in ISO form. A moment farther ahead than any wait is long was written by a
 * clock that has been put right since, and nobody waits for that one.
 */
export function isDue(retryAt: Instant, now: Instant): boolean {
  const ahead = Date.parse(retryAt) - Date.parse(now);
  return ahead <= 0 || ahead > LONGEST_MS * (1 + SPREAD);
}

/** From -1 to 1, by the moment alone: the machine has no randomness, and what failed together failed at its own moment. */
function spread(moment: number): number {
  return ((moment * 2_654_435_761) % 2001) / 1000 - 1;
}
