/** Milliseconds before each further attempt; the last one repeats. */
const BACKOFF = [200, 500, 1000, 2000, 5000];

/** How long to rest before an attempt, the first being 1; 0 has nothing to wait for. */
export function backoff(attempt: number): number {
  return BACKOFF[Math.min(attempt, BACKOFF.length) - 1] ?? 0;
}
