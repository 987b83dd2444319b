import { createContext, Script } from 'node:vm';

/*
 * Runs work of which a model wrote the pattern: some patterns take exponential time, and nothing else in the process
 * goes on meanwhile. So each piece of it is cut off, and so are all the pieces of one call together.
 */

/** What one piece may take, in milliseconds. */
const PIECE_MS = 500;
/** What all pieces of one call may take, in milliseconds. */
const CALL_MS = 3000;

/** Does a piece of work and resolves to what it gives; `null` when it takes too long. */
export type CutOff = <Made>(work: () => Made) => Made | null;

/** For one call of a tool. */
export function cutOff(): CutOff {
  const held: { work: () => void } = { work: () => undefined };
  const context = createContext(held);
  const script = new Script('work()');
  let left = CALL_MS;
  return work => {
    if (left < 1) return null;
    const made: ReturnType<typeof work>[] = [];
    held.work = () => made.push(work());
    const began = performance.now();
    try {
      script.runInContext(context, { timeout: Math.min(PIECE_MS, Math.ceil(left)) });
    } catch {
      left = 0;
    }
    left -= performance.now() - began;
    return made[0] ?? null;
  };
}
