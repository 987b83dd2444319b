/** Time, injected: nothing above the composition root asks the machine for it. */
export interface Clock {
  /** Wall clock, milliseconds since the Unix epoch. */
  now(): number;
  /** Monotonic milliseconds that stand still while the machine is suspended; only differences mean anything. */
  active(): number;
  /** Calls back once after `ms`; the result cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** An instant as it is written everywhere: RFC 3339, milliseconds, UTC. */
export function instant(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** The machine's own clock. Timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  active: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
