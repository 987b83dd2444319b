import type { Clock } from '@hearth/store/clock.ts';

/** Resolves after `ms` of the clock's time, or at once when `signal` aborts. Never rejects. */
export function after(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
