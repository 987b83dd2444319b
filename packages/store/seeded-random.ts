/** Randomness that is a pure function of a seed, for simulations: the same seed gives the same numbers everywhere. */

/** Gives the next number in [0, 1). */
export type Random = () => number;

/** A generator of 32 bits of state; good enough to choose among cases, and for nothing else. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** An integer from 0 to `below` - 1. */
export function pick(random: Random, below: number): number {
  return Math.floor(random() * below);
}
