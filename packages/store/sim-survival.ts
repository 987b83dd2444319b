/**
 * Which changes that were never synced survive a power cut. Seed 0 loses them all and seed 1 keeps them all, the two
 * ends that every test should see; any other seed chooses change by change.
 */
import { pick, seededRandom } from './seeded-random.ts';

/** The choices that a power cut makes, in the order in which the disk asks for them. */
export interface Survival {
  /** What becomes of one write of `length` bytes: how many of its first bytes are kept. */
  kept(length: number): number;
  /** Whether a file was cut as asked. */
  cut(): boolean;
  /**
   * Which of `count` changes to directories happened: an ordered beginning of them, as from a file system's journal,
   * or any of them.
   */
  happened(count: number): readonly boolean[];
}

/** The choices of a seed; the same seed always gives the same ones. */
export function survivalOf(seed: number): Survival {
  if (seed === 0 || seed === 1) return uniform(seed === 1);
  const random = seededRandom(seed);
  return {
    kept: length => [0, length, pick(random, length + 1)][pick(random, 3)] ?? 0,
    cut: () => random() < 0.5,
    happened: count => {
      const ordered = random() < 0.5;
      const until = pick(random, count + 1);
      return Array.from({ length: count }, (_, index) => (ordered ? index < until : random() < 0.5));
    },
  };
}

function uniform(all: boolean): Survival {
  return {
    kept: length => (all ? length : 0),
    cut: () => all,
    happened: count => Array.from({ length: count }, () => all),
  };
}
