import type { Timers } from '@hearth/client/timers.ts';
import { useEffect, useState } from 'react';

/** The time in milliseconds, once a second while it matters. */
export function useNow(timers: Timers, ticking: boolean): number {
  const [now, setNow] = useState(() => timers.now());
  useEffect(() => {
    return ticking ? timers.after(1000, () => setNow(timers.now())) : undefined;
  }, [timers, ticking, now]);
  return ticking ? Math.max(now, timers.now()) : now;
}
