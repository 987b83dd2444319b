import type { SimClock } from '@hearth/store/sim-clock.ts';
import type { Lane } from '../lane.ts';

/** How often the clock is moved before a lane is thought to hang. */
const MOVES = 500;

/** Waits until nothing runs in a lane. What waits for the clock gets its time; a lane that never rests is an error. */
export async function settled(lane: Lane, clock: SimClock): Promise<void> {
  let done = false;
  const rest = lane.settled().then(() => {
    done = true;
  });
  for (let move = 0; move < MOVES; move += 1) {
    for (let look = 0; look < 50 && !done; look += 1) await new Promise(resolve => setImmediate(resolve));
    if (done) return rest;
    clock.advance(1000);
  }
  throw new Error('The lane does not come to rest.');
}
