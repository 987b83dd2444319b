import type { Actor } from '@hearth/protocol/actor.ts';
import type { ArtifactRef } from '@hearth/protocol/artifact.ts';
import type { PauseId } from '@hearth/protocol/ids.ts';

/** Work that is done beside the graph for a card: no token moves, and what it was done for may be gone when it ends. */
export interface Beside {
  readonly pause: PauseId;
  /** `reader`: finds out which action the words mean. `aside`: answers them. */
  readonly as: 'reader' | 'aside';
  /** What the person said, on which version. */
  readonly text: string;
  readonly shown: ArtifactRef | null;
  readonly by: Actor;
}
