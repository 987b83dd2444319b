/** Time for whoever waits: the client reads no clock of its own, so that tests need not wait. A part of the store's `Clock`. */
export interface Timers {
  /** Wall clock, milliseconds since the Unix epoch. */
  now(): number;
  /** Calls back once after `ms`; the result cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** The timers of the browser or of Node. */
export const systemTimers: Timers = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once when the signal is or becomes aborted. Never rejects. */
export function rest(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = timers.after(ms, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
