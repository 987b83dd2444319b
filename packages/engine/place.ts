import type { Values } from '@hearth/language/value.ts';

/*
 * What a part of a run knows, and the parts into which a fork divides it (docs/adr/0044). It is a part of the state: plain
 * JSON, bounded by the plan.
 */

/** A loop's count of crossings and the two outputs that `loop.<name>.previous_output` needs. */
export interface LoopState {
  count: number;
  /** Crossings that a person added to the cap. */
  added: number;
  staged: Values | null;
  previous: Values | null;
}

/** Where a part of a run keeps what it knows: the trunk in the run itself, each branch in a place of its own. */
export interface Place {
  /** The last output of each node that the plan can still read; a branch's own, over those before the fork. */
  outputs: Record<string, Values>;
  loops: Record<string, LoopState>;
  /** The edge that each round_robin router takes next, counted among those that it takes in turn. */
  rotation?: Record<string, number>;
  /** Edges with values that were taken, where only those count (`values: 'fired'`). */
  crossed?: string[];
  /** An agent's `reply` that no pause has shown yet; said when the run ends. */
  unsaid: string | null;
  /** What was published last under each name that the plan reads; a branch's own, over those before the fork. */
  artifacts?: Record<string, Values>;
}

/** Several ways that are gone at once. */
export interface Fork {
  /** Where they meet; `null`: each ends by itself. */
  readonly meets: string | null;
  readonly awaits: 'wait_all' | 'best_effort';
  /** In the order of the edges. */
  readonly branches: Branch[];
}

/** One way of a fork. It is named for good: `branch_<router>_<target>`, inside another branch after that one's name. */
export interface Branch extends Place {
  readonly id: string;
  readonly target: string;
  /** How it ended; `null` while it goes on. `by`: the edges that led to where it ended. */
  end:
    | null
    | { readonly is: 'met'; readonly at: string; readonly by: readonly string[] }
    | { readonly is: 'failed'; readonly code: string; readonly error: string };
}
